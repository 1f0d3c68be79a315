/** Returns a number from 0 to 1 that looks random and is always the same for the same arguments. */
export function pseudoRandom(x: number, y: number, salt: number): number {
  let mixed = Math.imul(x + 11, 0x9e3779b1) ^ Math.imul(y + 7, 0x85ebca6b) ^ Math.imul(salt + 3, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000;
}
