import { describe, expect, it } from 'vitest';
import { recordPaths } from './downloadAll';
import { bytesOf, textOf } from './passkeys';

describe('the files of a download', () => {
  it('are one for a campaign, and one for every other match', () => {
    const table = { table: 'x', game: 'mycity', campaign: false, matches: 2 };
    expect(recordPaths(table).map(({ name }) => name)).toEqual(['mycity/x-0.json', 'mycity/x-1.json']);
    expect(recordPaths({ ...table, campaign: true })).toEqual([
      { path: '/tables/x/campaign.json', name: 'mycity/x-campaign.json' },
    ]);
    expect(recordPaths({ ...table, matches: 0 })).toEqual([]);
  });
});

describe('base64url', () => {
  it.each(['', 'AA', '-_-_', 'SGVsbG8'])('%s is decoded back', (text) =>
    expect(textOf(bytesOf(text).buffer)).toBe(text),
  );
});
