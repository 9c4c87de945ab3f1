/**
 * Selects the language, and overrides its texts with the page's own. A new language needs a file of strings and a line
 * here. Held by test/sdk/element-strings.test.ts.
 */
import type { FaceSignInError } from '../errors.ts';
import type { OwnStrings, Strings } from './strings.ts';
import { EN } from './strings-en.ts';
import { ES } from './strings-es.ts';

/** The shipped languages, by primary language subtag. */
export const LANGUAGES: Readonly<Record<string, Strings>> = { en: EN, es: ES };

/** The shipped language for a tag such as `es-MX`; English for any other. */
export function languageOf(tag: string): string {
  const language = (tag.toLowerCase().split('-')[0] ?? '') as string;
  return Object.hasOwn(LANGUAGES, language) ? language : 'en';
}

/** The texts of a language, overridden by the page's own. */
export function stringsOf(language: string, own: OwnStrings = {}): Strings {
  const base = LANGUAGES[languageOf(language)] ?? EN;
  return {
    ...base,
    ...own,
    views: { ...base.views, ...own.views },
    guides: { ...base.guides, ...own.guides },
    errors: { ...base.errors, ...own.errors },
  };
}

/** A waiting time in words: in seconds up to 90 seconds, otherwise in minutes. */
export function timeIn(language: string, seconds: number): string {
  const [unit, value] = seconds <= 90 ? ['second', seconds] : ['minute', Math.ceil(seconds / 60)];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

/** A date in words, in UTC like in the email with the code. */
export function dateIn(language: string, date: Date): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(date);
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
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}
