/**
 * The import rules between the folders of the client, from the bottom up: what each area may import. An area is a
 * folder of `src`; in `games` each folder and each file is one.
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
  /** Small drawn components. */
  parts: [...GROUND, 'lib'],
  /** Cells and choices of any game. */
  board: ['lib'],
  /** Shared by the games that place buildings on cells. */
  'games/placing': [...AROUND, 'board', 'styles'],
  /** A game imports no other game, no page and no connection. */
  'games/*': [...AROUND, 'board', 'styles', 'games/placing'],
  /** The list of games. */
  games: ['games/*', 'i18n'],
  /** Guided games: they use the data of games, but no screens. */
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

/** Whether a file of one area may import a file of another. */
export function mayImport(from, to) {
  if (from === to) return true;
  const known = BORDERS[from] ?? (from.startsWith('games/') ? BORDERS['games/*'] : []);
  return known.includes(to) || (to.startsWith('games/') && known.includes('games/*'));
}

const SRC = new URL('./src/', import.meta.url);

function below(url) {
  return url.href.startsWith(SRC.href) ? decodeURIComponent(url.href.slice(SRC.href.length)) : null;
}

/** The ESLint rule, for static and dynamic imports. */
const imports = {
  meta: { type: 'problem', schema: [], messages: { crossed: '{{from}} may not import {{to}} (eslint.borders.js)' } },
  create(context) {
    const here = new URL(`file://${encodeURI(context.filename)}`);
    const path = below(here);
    if (path === null) return {};
    const check = ({ source }) => {
      if (typeof source?.value !== 'string' || !source.value.startsWith('.')) return;
      const target = below(new URL(source.value, here));
      if (target === null) return;
      const [from, to] = [areaOf(path), areaOf(target)];
      if (!mayImport(from, to)) context.report({ node: source, messageId: 'crossed', data: { from, to } });
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
