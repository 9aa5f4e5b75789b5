import { useSuspenseQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { useEnvironment } from '../api/environment.ts';
import { loadPart } from '../api/parts.ts';
import { useStoredText } from '../observable/stored-text.ts';
import type { Texts } from './en.ts';
import { chosenLanguage, type Language, languageFor, languages } from './languages.ts';

interface Speech {
  readonly language: Language;
  readonly texts: Texts;
}

const SpeechContext = createContext<Speech | undefined>(undefined);

/** The language that was chosen, else the configured one if it is not the built-in default, else the browser's. */
export function TextsProvider({ children }: { readonly children: ReactNode }) {
  const configured = useEnvironment()['admin-language-code'];
  const chosen = useStoredText(chosenLanguage);
  const language = languageFor([
    chosen,
    configured === 'en-US' ? undefined : configured,
    ...navigator.languages,
  ]);
  const { data: texts } = useSuspenseQuery({
    queryKey: ['texts', language],
    queryFn: () => loadPart(languages[language].load),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return <SpeechContext value={{ language, texts }}>{children}</SpeechContext>;
}

/** Loads the texts of the language that will most likely be asked for, before the configured one is known. */
export async function loadTexts(): Promise<void> {
  await languages[languageFor([chosenLanguage.get(), ...navigator.languages])].load();
}

export function useTexts(): Texts {
  return useSpeech().texts;
}

export function useLanguage(): Language {
  return useSpeech().language;
}

function useSpeech(): Speech {
  const speech = useContext(SpeechContext);
  if (speech === undefined) throw new Error('Texts are used outside of TextsProvider.');
  return speech;
}
