/**
 * The language and the colours of the page: the operator's choice, then what this browser chose before, then the
 * browser's own. A language is loaded when it is used.
 */
import type { Strings } from '../strings/en/index.ts';
import { store, useStore } from './store.ts';

export type { Strings };
export const LANGUAGES = { en: 'English', es: 'Español' } as const;
export type Language = keyof typeof LANGUAGES;
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const LOAD = {
  en: async (): Promise<Strings> => (await import('../strings/en/index.ts')).en,
  es: async (): Promise<Strings> => (await import('../strings/es/index.ts')).es,
} as const;

export const language = store<Language>('en');
export const theme = store<Theme>('system');
const strings = store<Strings | null>(null);

export function useStrings(): Strings {
  const found = useStore(strings);
  if (!found) throw new Error('no language is loaded');
  return found;
}

/** `1,701`, in the language of the page. */
export const number = (value: number): string => value.toLocaleString(language.get());

const isLanguage = (text: string | null | undefined): text is Language => !!text && text in LANGUAGES;
const isTheme = (text: string | null | undefined): text is Theme => THEMES.includes(text as Theme);

export async function setLanguage(next: Language): Promise<void> {
  const loaded = await LOAD[next]();
  localStorage.setItem('language', next);
  document.documentElement.lang = next;
  language.set(next);
  strings.set(loaded);
}

export function setTheme(next: Theme): void {
  localStorage.setItem('theme', next);
  if (next === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  theme.set(next);
}

/** What the browser chose before, or its own. */
export async function startLooks(): Promise<void> {
  const chosen = localStorage.getItem('theme');
  setTheme(isTheme(chosen) ? chosen : 'system');
  const stored = localStorage.getItem('language');
  const own = navigator.languages.map(tag => tag.slice(0, 2)).find(isLanguage);
  await setLanguage(isLanguage(stored) ? stored : (own ?? 'en'));
}

/** What the operator has chosen in the account, if anything. */
export async function takeLooks(of: {
  readonly language: string | null;
  readonly theme: string | null;
}): Promise<void> {
  if (isTheme(of.theme)) setTheme(of.theme);
  if (isLanguage(of.language)) await setLanguage(of.language);
}
