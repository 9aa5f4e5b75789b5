import type { Json, JsonObject } from '../../../lib/json/types.ts';
import type { Random } from '../random.ts';
import { anyJson, mutateText, nastyText } from './mutate.ts';

/** A statement in which every property occurs somewhere. */
const full: JsonObject = {
  id: '6d969975-8d7e-4506-ac19-877c57f2921a',
  version: '1.0.3',
  timestamp: '2020-01-01T00:00:00.123Z',
  actor: {
    objectType: 'Group',
    name: 'Team',
    account: { homePage: 'https://example.org', name: 'team' },
    member: [{ objectType: 'Agent', name: 'Ann', mbox: 'mailto:ann@example.org' }],
  },
  verb: { id: 'https://example.org/verbs/did', display: { 'en-US': 'did', de: 'tat' } },
  object: {
    objectType: 'Activity',
    id: 'https://example.org/activities/a',
    definition: {
      name: { en: 'A' },
      description: { en: 'An activity' },
      type: 'http://adlnet.gov/expapi/activities/cmi.interaction',
      moreInfo: 'https://example.org/more',
      interactionType: 'choice',
      correctResponsesPattern: ['a[,]b'],
      choices: [{ id: 'a', description: { en: 'A' } }, { id: 'b' }],
      extensions: { 'https://example.org/e': { a: [1, 2] } },
    },
  },
  result: {
    score: { scaled: 0.5, raw: 5, min: 0, max: 10 },
    success: true,
    completion: false,
    response: 'a',
    duration: 'PT1H30M',
    extensions: { 'https://example.org/r': 1 },
  },
  context: {
    registration: 'ec531277-b57b-4c15-8d91-d292c5b2b8f7',
    instructor: { mbox: 'mailto:i@example.org' },
    team: { objectType: 'Group', mbox: 'mailto:t@example.org' },
    contextActivities: { parent: [{ id: 'https://example.org/p' }], other: { id: 'https://example.org/o' } },
    revision: '1',
    platform: 'web',
    language: 'en',
    statement: { objectType: 'StatementRef', id: '6690e6c9-3ef0-4ed3-8b37-7f3964730bee' },
    extensions: { 'https://example.org/c': null },
  },
  attachments: [
    {
      usageType: 'https://example.org/u',
      display: { en: 'File' },
      contentType: 'text/plain',
      length: 1,
      sha2: 'a'.repeat(64),
      fileUrl: 'https://example.org/f',
    },
  ],
};

const small: JsonObject = {
  actor: { mbox: 'mailto:a@example.org' },
  verb: { id: 'https://example.org/v' },
  object: { objectType: 'StatementRef', id: '6690e6c9-3ef0-4ed3-8b37-7f3964730bee' },
};

/** What the placeholder of a value that is replaced by other text looks like in JSON. */
const placeholder = JSON.stringify('\u0001');

/** A statement as JSON text, of which one to three values or names are replaced, lost or repeated. */
export function oddStatement(random: Random): string {
  const statement: JsonObject = { ...structuredClone(random.chance(0.7) ? full : small), id: random.uuid() };
  for (let left = random.int(4); left > 0; left -= 1) disturb(random, statement);
  if (random.chance(0.15)) {
    statement.object = { objectType: 'SubStatement', ...structuredClone(small) };
    disturb(random, statement);
  }
  return JSON.stringify(statement).replaceAll(placeholder, () => anyJson(random));
}

/** Follows properties at random and changes the one it ends at. */
function disturb(random: Random, root: JsonObject): void {
  let holder: JsonObject = root;
  for (;;) {
    const names = Object.keys(holder);
    if (names.length === 0) return;
    const name = random.pick(names);
    const inner = holder[name];
    const next = Array.isArray(inner) ? inner[0] : inner;
    if (!isObject(next) || random.chance(0.3)) {
      change(random, holder, name);
      return;
    }
    holder = next;
  }
}

function change(random: Random, holder: JsonObject, name: string): void {
  const value = holder[name];
  switch (random.int(5)) {
    case 0:
      delete holder[name];
      break;
    case 1:
      holder[name] = typeof value === 'string' ? mutateText(random, value) : '\u0001';
      break;
    case 2:
      // An own property, also when the name is `__proto__`.
      Object.defineProperty(holder, `${nastyText(random)}${name}`, {
        value: value ?? null,
        enumerable: true,
        configurable: true,
        writable: true,
      });
      break;
    case 3:
      holder[name] = [value ?? null, value ?? null];
      break;
    default:
      holder[name] = '\u0001';
  }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fullStatement(random: Random): string {
  return JSON.stringify({ ...full, id: random.uuid() });
}
