/** The styles that an exported drawing keeps. */
const LOOKS = [
  'fill',
  'fill-opacity',
  'fill-rule',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
  'paint-order',
  'visibility',
] as const;
/** Initial values, which the export omits. */
const USUAL: Readonly<Record<string, string>> = {
  'fill-opacity': '1',
  'fill-rule': 'nonzero',
  stroke: 'none',
  'stroke-opacity': '1',
  'stroke-dasharray': 'none',
  'stroke-linecap': 'butt',
  'stroke-linejoin': 'miter',
  opacity: '1',
  'text-anchor': 'start',
  'dominant-baseline': 'auto',
  'paint-order': 'normal',
  visibility: 'visible',
};
/** Inherited properties are written even if they are initial: a parent may have another value. */
const OF_WORDS = ['font-family', 'font-size', 'font-weight', 'text-anchor', 'dominant-baseline'];
/** Pixels for each unit of the drawing, so that it is sharp on paper. */
const SHARP = 2;

/** Returns a drawing of this page as an SVG file of its own, with all styles inlined. */
export function standaloneSvg(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const from = [drawing, ...drawing.querySelectorAll('*')];
  const to = [copy, ...copy.querySelectorAll('*')];
  from.forEach((element, at) => dress(element, to[at]));
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  for (const hidden of copy.querySelectorAll('[display="none"]')) hidden.remove();
  return new XMLSerializer().serializeToString(copy);
}

function dress(element: Element, copy: Element | undefined): void {
  if (!copy) return;
  const seen = getComputedStyle(element);
  const words = element instanceof SVGTextContentElement;
  if (seen.display === 'none') copy.setAttribute('display', 'none');
  for (const look of LOOKS) {
    const value = seen.getPropertyValue(look);
    if (OF_WORDS.includes(look) ? words : value !== USUAL[look]) copy.setAttribute(look, value);
  }
  copy.removeAttribute('class');
  copy.removeAttribute('style');
  copy.removeAttribute('aria-hidden');
  copy.removeAttribute('focusable');
}

/** Returns the drawing as a PNG. */
export async function rasterized(svg: string, width: number, height: number): Promise<Blob> {
  const image = new Image(width * SHARP, height * SHARP);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width * SHARP, height * SHARP];
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'),
  );
}

/** Downloads a file. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Returns a file name with characters that every system allows. */
export function fileName(...words: readonly string[]): string {
  const plain = words.join(' ').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'polyopolis';
}
