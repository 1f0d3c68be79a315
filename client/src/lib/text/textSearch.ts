/** A text without case and accents. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function wordsOf(find: string): readonly string[] {
  return plain(find).split(/\s+/).filter(Boolean);
}

/** Whether a text contains every word of a search. */
export function matchesSearch(text: string, find: string): boolean {
  const there = plain(text);
  return wordsOf(find).every((word) => there.includes(word));
}

/** Splits a text into parts and marks those that a search finds. */
export function highlightMatches(text: string, find: string): readonly (readonly [part: string, found: boolean])[] {
  const wanted = wordsOf(find).filter((word) => word.length > 1);
  // Without accents the text may have another length; then no part is marked.
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
