import type { Language, Message, Params } from './types';

/** A message with its gaps filled. Numbers are written as the language writes them; `count` picks the plural. */
export function filled(language: Language, message: Message, params: Params = {}): string {
  const count = Number(params['count'] ?? 0);
  const text =
    typeof message === 'string' ? message : (message[new Intl.PluralRules(language).select(count)] ?? message.other);
  return spaced(language, text).replace(GAPS, (gap, before: string | undefined, name: string) => {
    const value = params[name];
    if (value === undefined) return gap;
    const said = typeof value === 'number' ? new Intl.NumberFormat(language).format(value).replace('-', '−') : value;
    return joined(language, before ?? '', said);
  });
}

/** A gap, with the word before it that may lose its last letter. */
const GAPS = /(\bde )?\{(\w+)\}/gi;

/** French says "la ville d’Ada". */
function joined(language: Language, before: string, said: string): string {
  const elided = language === 'fr' && /^[aeiouàâæéèêëîïôœùûü]/i.test(said);
  return (elided ? before.replace('e ', '’') : before) + said;
}

/** French has a space before : ; ! ? at which no line may break; its catalogue is written with an ordinary one. */
function spaced(language: Language, text: string): string {
  return language === 'fr' ? text.replace(/ (?=:)/g, '\u00a0').replace(/ (?=[;!?])/g, '\u202f') : text;
}

/** The first language of the browser that we speak. */
export function preferred(wanted: readonly string[], spoken: readonly Language[]): Language {
  for (const tag of wanted) {
    const language = tag.toLowerCase().split('-')[0] ?? '';
    if (spoken.includes(language)) return language;
  }
  return 'en';
}
