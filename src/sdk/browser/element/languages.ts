/**
 * Selects the language, and overrides its texts with the page's own. English is always there; another language is
 * loaded when a page uses it. A new one needs a file of strings and a line here. Held by
 * test/sdk/element-strings.test.ts and test/browser/element-languages.test.ts.
 */
import type { FaceSignInError } from '../errors.ts';
import type { OwnStrings, Strings } from './strings.ts';
import { EN } from './strings.ts';

const LOADERS: Readonly<Record<string, () => Promise<Strings>>> = {
  de: async () => (await import('./strings-de.ts')).DE,
  es: async () => (await import('./strings-es.ts')).ES,
  fr: async () => (await import('./strings-fr.ts')).FR,
  pt: async () => (await import('./strings-pt.ts')).PT,
};
/** The shipped languages, by primary language subtag. */
export const LANGUAGES: readonly string[] = ['en', ...Object.keys(LOADERS)];

const usable = new Set(LANGUAGES);
const loaded = new Map<string, Strings>([['en', EN]]);
const loading = new Map<string, Promise<void>>();

/** The shipped language for a tag such as `es-MX`; English for any other, and for one that could not be loaded. */
export function languageOf(tag: string): string {
  const [language = ''] = tag.toLowerCase().split('-');
  return usable.has(language) ? language : 'en';
}

/** Resolves when the language is loaded, or has turned out not to be usable. Undefined if it is loaded. */
export function load(language: string): Promise<void> | undefined {
  if (loaded.has(language)) return undefined;
  const running = loading.get(language) ?? fetched(language);
  loading.set(language, running);
  return running;
}

async function fetched(language: string): Promise<void> {
  try {
    loaded.set(language, (await LOADERS[language]?.()) ?? EN);
  } catch (cause) {
    usable.delete(language);
    console.warn(
      `face-sign-in: the texts in "${language}" could not be loaded, so they are in English: ${cause}`,
    );
  }
}

/** The texts of a language, overridden by the page's own. In English while the language is not loaded. */
export function stringsOf(language: string, own: OwnStrings = {}): Strings {
  const base = loaded.get(language) ?? EN;
  return {
    ...base,
    ...own,
    guides: { ...base.guides, ...own.guides },
    errors: { ...base.errors, ...own.errors },
  };
}

/** A waiting time in words: in seconds up to 90 seconds, otherwise in minutes. */
export function timeIn(language: string, seconds: number): string {
  const [unit, value] = seconds <= 90 ? ['second', seconds] : ['minute', Math.ceil(seconds / 60)];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

/** The message for an error, in this language. */
export function sentenceFor(
  { code, retryAfter }: FaceSignInError,
  strings: Strings,
  language: string,
): string {
  if (code !== 'rate_limited' || !retryAfter) return strings.errors[code];
  return filled(strings.wait, { time: timeIn(language, retryAfter) });
}

/** Replaces `{name}` with its value. A name without a value stays. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name) =>
    Object.keys(values).includes(name) ? String(values[name]) : whole,
  );
}
