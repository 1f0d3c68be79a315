import { address } from './router';

/** The address of a rule of a game; undefined if there is no rule. */
export function ruleAddress(game: string, rule: string | undefined): string | undefined {
  return rule && `${address({ page: 'rules', game })}#${rule}`;
}
