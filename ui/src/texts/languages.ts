import { StoredText } from '../observable/stored-text.ts';
import type { Texts } from './en.ts';

/** The languages of the screen, each named in itself; their texts are loaded when they are needed. */
export const languages = {
  en: { name: 'English', load: async (): Promise<Texts> => (await import('./en.ts')).en },
  de: { name: 'Deutsch', load: async (): Promise<Texts> => (await import('./de.ts')).de },
} as const;

export type Language = keyof typeof languages;

/** What the operator has chosen. */
export const chosenLanguage = new StoredText('language');

/** The first of the language tags (BCP 47) that there are texts in; else English. */
export function languageFor(tags: readonly (string | undefined)[]): Language {
  for (const tag of tags) {
    const language = tag?.toLowerCase().split('-')[0] ?? '';
    if (isLanguage(language)) return language;
  }
  return 'en';
}

function isLanguage(text: string): text is Language {
  return text in languages;
}
