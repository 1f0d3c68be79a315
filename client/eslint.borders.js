/**
 * The borders between the folders of the client, from the ground up: what each may know beside itself.
 * An area is a folder of `src`; in `games` each folder and each file is one of its own.
 */
const GROUND = ['wire', 'i18n', 'games/types'];
const AROUND = [...GROUND, 'lib', 'parts'];

export const BORDERS = {
  wire: [],
  kernels: [],
  i18n: [],
  styles: [],
  'games/types': ['wire', 'i18n'],
  net: ['wire', 'kernels'],
  lib: [...GROUND, 'net'],
  /** Small things to draw with. */
  parts: [...GROUND, 'lib'],
  /** Cells and choices: it knows no game. */
  board: ['lib'],
  /** What games of buildings on cells share. */
  'games/placing': [...AROUND, 'board', 'styles'],
  /** A game knows no other, no page and no connection. */
  'games/*': [...AROUND, 'board', 'styles', 'games/placing'],
  /** Where games are found. */
  games: ['games/*', 'i18n'],
  /** Guided games: they know what games say of themselves, and no screen. */
  guide: [...AROUND, 'net'],
  shell: [...AROUND, 'net'],
  pages: [...AROUND, 'net', 'shell', 'games', 'guide', 'styles'],
  /** App.svelte and main.ts. */
  '': ['i18n', 'lib', 'net', 'pages', 'styles'],
};

/** The area of a file, given its path below `src`. */
export function areaOf(path) {
  const [top, second, ...deeper] = path.split('/');
  if (second === undefined) return '';
  if (top !== 'games') return top;
  const name = second.split('.')[0];
  return name === 'index' && !deeper.length ? 'games' : `games/${name}`;
}

/** Whether a file of one area may import one of the other. */
export function mayKnow(from, to) {
  if (from === to) return true;
  const known = BORDERS[from] ?? (from.startsWith('games/') ? BORDERS['games/*'] : []);
  return known.includes(to) || (to.startsWith('games/') && known.includes('games/*'));
}

const SRC = new URL('./src/', import.meta.url);

function below(url) {
  return url.href.startsWith(SRC.href) ? decodeURIComponent(url.href.slice(SRC.href.length)) : null;
}

/** A rule for ESLint: imports stay within the borders, also those that are awaited. */
const imports = {
  meta: { type: 'problem', schema: [], messages: { crossed: '{{from}} may not know {{to}} (eslint.borders.js)' } },
  create(context) {
    const here = new URL(`file://${encodeURI(context.filename)}`);
    const path = below(here);
    if (path === null) return {};
    const check = ({ source }) => {
      if (typeof source?.value !== 'string' || !source.value.startsWith('.')) return;
      const target = below(new URL(source.value, here));
      if (target === null) return;
      const [from, to] = [areaOf(path), areaOf(target)];
      if (!mayKnow(from, to)) context.report({ node: source, messageId: 'crossed', data: { from, to } });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

export default { rules: { imports } };
