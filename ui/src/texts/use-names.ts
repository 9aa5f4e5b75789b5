import { useMemo } from 'react';
import type { Activity, Actor, LanguageMap, StatementObject, Verb } from '../../../lib/xapi/types.ts';
import { identifierText, isGroup } from '../xapi/actor.ts';
import { activityName, textIn, verbName } from '../xapi/names.ts';
import type { Texts } from './en.ts';
import { useLanguage, useTexts } from './texts.tsx';

/** What the parts of a statement are called, in the operator's language as far as they have a name in it. */
export interface Names {
  readonly text: (map: LanguageMap | undefined) => string | undefined;
  readonly verb: (verb: Verb) => string;
  readonly activity: (activity: Activity) => string;
  readonly actor: (actor: Actor) => string;
  readonly object: (object: StatementObject) => string;
  /** Actor, Verb and Object. */
  readonly sentence: (statement: Sentence) => string;
}

export interface Sentence {
  readonly actor: Actor;
  readonly verb: Verb;
  readonly object: StatementObject;
}

export function useNames(): Names {
  const { xapi } = useTexts();
  const languages = useLanguages();
  return useMemo(() => namesIn(languages, xapi), [languages, xapi]);
}

/** The language of the screen, then those that the browser is set to; in lower case. */
export function useLanguages(): readonly string[] {
  const language = useLanguage();
  return useMemo(() => {
    const tags = [language, ...navigator.languages];
    return [...new Set(tags.map((tag) => tag.toLowerCase()))];
  }, [language]);
}

function namesIn(languages: readonly string[], texts: Texts['xapi']): Names {
  const actor = (each: Actor): string => each.name || identifierText(each) || anonymous(each);
  const anonymous = (each: Actor): string =>
    isGroup(each) ? texts.group((each.member ?? []).map(actor).join(', ')) : texts.unknown;
  const verb = (each: Verb) => verbName(each, languages);
  const activity = (each: Activity) => activityName(each, languages);
  const object = (each: StatementObject): string => {
    switch (each.objectType) {
      case 'Agent':
      case 'Group':
        return actor(each);
      case 'StatementRef':
        return texts.statement(each.id);
      case 'SubStatement':
        return sentence(each);
      default:
        return 'id' in each ? activity(each) : actor(each);
    }
  };
  const sentence = (each: Sentence) => `${actor(each.actor)} ${verb(each.verb)} ${object(each.object)}`;
  return { text: (map) => textIn(map, languages), verb, activity, actor, object, sentence };
}
