import { createContext, useContext } from 'react';
import type { PropertyPath } from '../../../../../lib/csv/property-paths.ts';
import { isObject, valueAt, withoutValue, withValue } from '../../../xapi/json-edit.ts';
import { type Note, notesAt, notesWithin } from './notes.ts';

/** The ruleset that the fields of the form show and change. */
export interface Editing {
  readonly ruleset: unknown;
  readonly notes: readonly Note[];
  readonly change: (change: (ruleset: unknown) => unknown) => void;
}

export const EditingContext = createContext<Editing>({ ruleset: {}, notes: [], change: () => undefined });

export function useEditing(): Editing {
  return useContext(EditingContext);
}

/** A place in the ruleset. */
export interface Place {
  readonly value: unknown;
  /** What is said about this very place. */
  readonly notes: readonly Note[];
  /** The same and what is said about places in it. */
  readonly notesWithin: readonly Note[];
  readonly set: (value: unknown) => void;
  readonly remove: () => void;
}

export function usePlace(at: PropertyPath): Place {
  const { ruleset, notes, change } = useEditing();
  return {
    value: valueAt(ruleset, at),
    notes: notesAt(notes, at),
    notesWithin: notesWithin(notes, at),
    set: (value) => change((before) => withValue(before, at, value)),
    remove: () => change((before) => withoutValue(before, at)),
  };
}

/** In their order. */
export function useConditionNames(): readonly string[] {
  const { ruleset } = useEditing();
  const conditions = valueAt(ruleset, ['conditions']);
  return isObject(conditions) ? Object.keys(conditions) : [];
}
