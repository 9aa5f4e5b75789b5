import type { JsonObject } from '../../lib/json/types.ts';

/** A stored statement, as far as the proof looks at it. Those of a learner come in the order in which they were stored. */
export interface Told {
  readonly id: string;
  readonly verb: { readonly id: string };
  readonly object: { readonly id: string };
  readonly result?: { readonly score?: { readonly scaled: number } };
  readonly context?: {
    readonly registration?: string;
    /** Of a generated statement: the ids of the statements that it is made of. */
    readonly extensions?: { readonly [madeOf]?: readonly string[] };
  };
}

/** A reaction, and what has to come of it by its definition alone. */
export interface ProvenReaction {
  readonly name: string;
  readonly ruleset: JsonObject;
  /** The combinations of statements of one learner that it makes a statement of, as ids in the order of its conditions. */
  readonly expected: (statements: readonly Told[]) => readonly (readonly string[])[];
}

export const verbs = {
  passed: 'http://adlnet.gov/expapi/verbs/passed',
  failed: 'http://adlnet.gov/expapi/verbs/failed',
} as const;
export const modules = [
  'https://proof.example.org/modules/1',
  'https://proof.example.org/modules/2',
] as const;

const madeOf = 'https://proof.example.org/made-of';
const made = 'https://proof.example.org/made/';

/** The name of the reaction that has made a statement; undefined for one that a client has sent. */
export function makerOf({ verb }: Told): string | undefined {
  return verb.id.startsWith(made) ? verb.id.slice(made.length) : undefined;
}

/** The statements that a generated statement is made of. */
export function partsOf({ context }: Told): readonly string[] {
  return context?.extensions?.[madeOf] ?? [];
}

const is = (verb: string): JsonObject => ({ path: ['verb', 'id'], op: 'eq', val: verb });
const about = (object: string): JsonObject => ({ path: ['object', 'id'], op: 'eq', val: object });

function rulesetOf(name: string, conditions: Readonly<Record<string, JsonObject>>): JsonObject {
  const names = Object.keys(conditions);
  return {
    identityPaths: [['actor', 'mbox']],
    conditions,
    template: {
      actor: { $templatePath: [names[0] ?? '', 'actor'] },
      verb: { id: `${made}${name}` },
      object: { id: 'https://proof.example.org/learning' },
      context: { extensions: { [madeOf]: names.map((each) => ({ $templatePath: [each, 'id'] })) } },
    },
  };
}

const passedModule = (object: string) => (told: Told) =>
  told.verb.id === verbs.passed && told.object.id === object;
const madeBy = (name: string) => (told: Told) => makerOf(told) === name;

/** A reaction with several conditions, one for generated statements, one that compares by order, and two that make a chain. */
export const provenReactions: readonly ProvenReaction[] = [
  {
    name: 'certificate',
    ruleset: rulesetOf('certificate', {
      first: { and: [is(verbs.passed), about(modules[0])] },
      second: {
        and: [
          is(verbs.passed),
          about(modules[1]),
          {
            path: ['context', 'registration'],
            op: 'eq',
            ref: { condition: 'first', path: ['context', 'registration'] },
          },
        ],
      },
    }),
    expected: (statements) =>
      statements.filter(passedModule(modules[0])).flatMap((first) =>
        statements
          .filter(passedModule(modules[1]))
          .filter(({ context }) => context?.registration === first.context?.registration)
          .map(({ id }) => [first.id, id]),
      ),
  },
  {
    name: 'badge',
    ruleset: rulesetOf('badge', { scored: { path: ['result', 'score', 'scaled'], op: 'gt', val: 0.8 } }),
    expected: (statements) =>
      statements.filter(({ result }) => (result?.score?.scaled ?? 0) > 0.8).map(({ id }) => [id]),
  },
  {
    name: 'alert',
    ruleset: rulesetOf('alert', {
      first: is(verbs.failed),
      second: { and: [is(verbs.failed), isAfter('first')] },
      third: { and: [is(verbs.failed), isAfter('second')] },
    }),
    expected: (statements) => {
      const failed = statements.filter(({ verb }) => verb.id === verbs.failed);
      return failed.flatMap((first, one) =>
        failed
          .slice(one + 1)
          .flatMap((second, two) =>
            failed.slice(one + two + 2).map((third) => [first.id, second.id, third.id]),
          ),
      );
    },
  },
  {
    name: 'celebration',
    ruleset: rulesetOf('celebration', {
      certificate: is(`${made}certificate`),
      badge: is(`${made}badge`),
    }),
    expected: (statements) =>
      statements
        .filter(madeBy('certificate'))
        .flatMap((certificate) => statements.filter(madeBy('badge')).map(({ id }) => [certificate.id, id])),
  },
  {
    // It would be triggered by what it makes itself, if it were not part of how that came about.
    name: 'echo',
    ruleset: rulesetOf('echo', { sound: { path: ['verb', 'id'], op: 'like', val: `${made}%` } }),
    expected: (statements) =>
      statements
        .filter((told) => makerOf(told) !== undefined && makerOf(told) !== 'echo')
        .map(({ id }) => [id]),
  },
];

function isAfter(condition: string): JsonObject {
  return { path: ['stored'], op: 'gt', ref: { condition, path: ['stored'] } };
}
