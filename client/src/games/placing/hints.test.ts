import { beforeAll, describe, expect, it } from 'vitest';
import { speak, t } from '../../i18n/index.svelte';
import { actionName, featureName } from './hints';
import { cellsOf } from './table';

beforeAll(() => speak('en'));

describe('actionName', () => {
  it.each([
    [{ type: 'place', cells: ['c4', 'd4'] }, 'Build on c4 d4'],
    [{ type: 'pass' }, 'Pass'],
    [{ type: 'stop' }, 'Stop'],
    [{ type: 'sticker', kind: 'tree', cell: 'e1' }, 'Choose e1'],
    [{ type: 'gear', shape: 'i4' }, 'Choose i4'],
    [{ type: 'no-kiosk' }, 'Choose nothing'],
  ])('%j', (action, name) => expect(actionName(action, t)).toBe(name));

  it('cellsOf returns the cells of an action', () => {
    expect(cellsOf({ type: 'kiosk', cell: 'b2' })).toEqual(['b2']);
    expect(cellsOf({ type: 'pass' })).toEqual([]);
  });
});

describe('featureName', () => {
  it('returns the name of the feature, or of the line of the sheet', () => {
    expect(featureName('sides', '?')).toBe('Buildings around wells');
    expect(featureName('trees', 'Cells with trees')).toBe('Cells with trees');
  });
});
