/** A file of an uncompressed zip archive: records are small, and every system opens such a file. */
export interface ZipEntry {
  name: string;
  data: Uint8Array;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 0x0800;

export function zipFiles(files: readonly ZipEntry[], now = new Date()): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { name, data } of files) {
    const letters = new TextEncoder().encode(name);
    const about = [
      ...[VERSION, FLAGS, 0, ...moment(now)].flatMap((value) => bytes(value, 2)),
      ...[checksum(data), data.length, data.length].flatMap((value) => bytes(value, 4)),
      ...[letters.length, 0].flatMap((value) => bytes(value, 2)),
    ];
    const head = Uint8Array.from([...bytes(LOCAL, 4), ...about, ...letters]);
    parts.push(head, new Uint8Array(data));
    directory.push(
      Uint8Array.from([
        ...[...bytes(CENTRAL, 4), ...bytes(VERSION, 2), ...about],
        ...[0, 0, 0].flatMap((value) => bytes(value, 2)),
        ...[0, offset].flatMap((value) => bytes(value, 4)),
        ...letters,
      ]),
    );
    offset += head.length + data.length;
  }
  const size = directory.reduce((sum, entry) => sum + entry.length, 0);
  const end = Uint8Array.from([
    ...bytes(END, 4),
    ...[0, 0, files.length, files.length].flatMap((value) => bytes(value, 2)),
    ...[size, offset].flatMap((value) => bytes(value, 4)),
    ...bytes(0, 2),
  ]);
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}

function bytes(value: number, length: number): number[] {
  return Array.from({ length }, (_, index) => (value >>> (8 * index)) & 0xff);
}

/** Time and day in the DOS format, in steps of two seconds since 1980. */
function moment(now: Date): [time: number, day: number] {
  return [
    (now.getHours() << 11) | (now.getMinutes() << 5) | (now.getSeconds() >> 1),
    ((now.getFullYear() - 1980) << 9) | ((now.getMonth() + 1) << 5) | now.getDate(),
  ];
}

/** CRC-32. */
export function checksum(data: Uint8Array): number {
  let sum = ~0;
  for (const byte of data) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
