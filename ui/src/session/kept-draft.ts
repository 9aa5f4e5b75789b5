import { session } from '../api/session.ts';
import { storageKey } from '../observable/home.ts';

/** Holds the draft of one form while nobody is signed in. It stays in this tab, and ends with it. */
const key = storageKey('draft');

interface KeptDraft {
  /** Who has written it, as `session.holder()` tells. */
  readonly holder: string;
  /** Of which form it is. */
  readonly place: string;
  readonly draft: unknown;
}

/** Keeps what somebody has written and not saved, until he is back. */
export function keepDraft(place: string, holder: string | undefined, draft: unknown): void {
  const kept: KeptDraft = { place, holder: holder ?? '', draft };
  sessionStorage.setItem(key, JSON.stringify(kept));
}

/** What whoever is signed in has written in the form; undefined when there is nothing. */
export function keptDraft(place: string): unknown {
  const kept = read();
  return kept?.place === place && kept.holder === (session.holder() ?? '') ? kept.draft : undefined;
}

export function forgetDraft(): void {
  sessionStorage.removeItem(key);
}

/** Somebody else who signs in does not find it, and neither does a later one. */
export function forgetDraftOfOthers(): void {
  const holder = session.holder();
  if (holder !== undefined && read()?.holder !== holder) forgetDraft();
}

function read(): KeptDraft | undefined {
  const text = sessionStorage.getItem(key);
  return text === null ? undefined : JSON.parse(text);
}
