import { describe, expect, it } from 'vitest';
import { checksum, zipFiles } from './zip';

const text = (words: string): Uint8Array => new TextEncoder().encode(words);

describe('a zip archive', () => {
  it('has the standard CRC-32', () => {
    expect(checksum(text('123456789'))).toBe(0xcbf43926);
    expect(checksum(text(''))).toBe(0);
  });

  it('lists the offset of each file', async () => {
    const blob = zipFiles([
      { name: 'ä.json', data: text('one') },
      { name: 'b.json', data: text('second') },
    ]);
    const view = new DataView(await blob.arrayBuffer());
    const end = view.byteLength - 22;
    expect(view.getUint32(end, true)).toBe(0x06054b50);
    expect(view.getUint16(end + 10, true)).toBe(2);
    const central = view.getUint32(end + 16, true);
    expect(view.getUint32(central, true)).toBe(0x02014b50);
    const second = central + 46 + text('ä.json').length;
    const offset = view.getUint32(second + 42, true);
    expect(view.getUint32(offset, true)).toBe(0x04034b50);
    const content = new Uint8Array(view.buffer, offset + 30 + 6, 6);
    expect(new TextDecoder().decode(content)).toBe('second');
  });
});
