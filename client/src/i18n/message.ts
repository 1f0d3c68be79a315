import type { Language, Message, Params } from './types';

/** Fills the gaps of a message. Numbers are formatted in the language; `count` selects the plural form. */
export function filled(language: Language, message: Message, params: Params = {}): string {
  const count = Number(params['count'] ?? 0);
  const text =
    typeof message === 'string' ? message : (message[new Intl.PluralRules(language).select(count)] ?? message.other);
  return spaced(language, text).replace(GAPS, (gap, before: string | undefined, name: string) => {
    const value = params[name];
    if (value === undefined) return gap;
    const formatted =
      typeof value === 'number' ? new Intl.NumberFormat(language).format(value).replace('-', '−') : value;
    return joined(language, before ?? '', formatted);
  });
}

/** A gap, with a preceding "de" that may be elided. */
const GAPS = /(\bde )?\{(\w+)\}/gi;

/** Elides "de" before a vowel in French: "la ville d’Ada". */
function joined(language: Language, before: string, formatted: string): string {
  const elided = language === 'fr' && /^[aeiouàâæéèêëîïôœùûü]/i.test(formatted);
  return (elided ? before.replace('e ', '’') : before) + formatted;
}

/** French has a no-break space before : ; ! ?; its catalogue uses an ordinary one. */
function spaced(language: Language, text: string): string {
  return language === 'fr' ? text.replace(/ (?=:)/g, '\u00a0').replace(/ (?=[;!?])/g, '\u202f') : text;
}

/** Returns the first preferred language of the browser that is available. */
export function preferred(wanted: readonly string[], spoken: readonly Language[]): Language {
  for (const tag of wanted) {
    const language = tag.toLowerCase().split('-')[0] ?? '';
    if (spoken.includes(language)) return language;
  }
  return 'en';
}
