import { LanguagePicker } from '../../../lib/xapi/language.ts';
import type { Activity, LanguageMap, Verb } from '../../../lib/xapi/types.ts';

/** The text for people who read these languages, best first, in lower case; undefined where there is none at all. */
export function textIn(map: LanguageMap | undefined, languages: readonly string[]): string | undefined {
  const tag = map === undefined ? undefined : new LanguagePicker(languages).pick(map);
  return tag === undefined ? undefined : map?.[tag] || undefined;
}

/** What a Verb is called; without a display, the end of its id, where most have a word. */
export function verbName({ id, display }: Verb, languages: readonly string[]): string {
  return textIn(display, languages) ?? endOfIri(id);
}

/** What an Activity is called; without a name, its whole id, as its end is seldom a word. */
export function activityName({ id, definition }: Activity, languages: readonly string[]): string {
  return textIn(definition?.name, languages) ?? id;
}

/** `completed` of `http://adlnet.gov/expapi/verbs/completed`; all of an IRI that has no such end. */
export function endOfIri(iri: string): string {
  const end = iri.split(/[/#]/).findLast((part) => part !== '') ?? iri;
  try {
    return decodeURIComponent(end);
  } catch {
    return end;
  }
}
