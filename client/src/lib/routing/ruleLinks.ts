import { address } from './router';

/** Where a rule of a game can be read; undefined where there is none. */
export function ruleAddress(game: string, rule: string | undefined): string | undefined {
  return rule && `${address({ page: 'rules', game })}#${rule}`;
}
