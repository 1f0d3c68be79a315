import { expect, test } from 'vitest';
import { fileName } from './svgExport';

test.each([
  [['Point City', 'Ada Lovelace', '42'], 'point-city-ada-lovelace-42'],
  [['My City: Roll & Write', 'Zoë/..\\x'], 'my-city-roll-write-zoe-x'],
  [['城市', '…'], 'polyopolis'],
])('%j becomes %s', (words, name) => expect(fileName(...words)).toBe(name));
