/** A text as it is looked for: without case and accents. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function wordsOf(find: string): readonly string[] {
  return plain(find).split(/\s+/).filter(Boolean);
}

/** Whether a text holds every word that somebody looks for. */
export function matchesSearch(text: string, find: string): boolean {
  const there = plain(text);
  return wordsOf(find).every((word) => there.includes(word));
}

/** A text in parts, those marked that somebody looks for. */
export function highlightMatches(text: string, find: string): readonly (readonly [part: string, found: boolean])[] {
  const wanted = wordsOf(find).filter((word) => word.length > 1);
  // Without its accents a text may be shorter; then nothing is marked.
  const there = plain(text);
  if (!wanted.length || there.length !== text.length) return [[text, false]];
  const parts: [string, boolean][] = [];
  let at = 0;
  while (at < text.length) {
    const next = wanted
      .map((word) => ({ word, from: there.indexOf(word, at) }))
      .filter(({ from }) => from >= 0)
      .sort((here, later) => here.from - later.from || later.word.length - here.word.length)[0];
    if (!next) break;
    if (next.from > at) parts.push([text.slice(at, next.from), false]);
    parts.push([text.slice(next.from, next.from + next.word.length), true]);
    at = next.from + next.word.length;
  }
  return at < text.length ? [...parts, [text.slice(at), false]] : parts;
}
