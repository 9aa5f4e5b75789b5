import { type ErrorDetail, InvalidError } from '../../errors.ts';
import type { Json, JsonObject } from '../../json/types.ts';
import { validateStatement } from '../../xapi/statement/validate.ts';
import type { XapiVersion } from '../../xapi/types.ts';
import type { ReactionPath, Remark } from '../types.ts';
import { valueAt } from '../value.ts';
import { isObject } from './json.ts';
import { requireLinkedAttachments } from './linked-attachments.ts';
import { placeBelow, templatePlace } from './place.ts';
import { isPlaceholder, pathMember } from './placeholder.ts';
import { withoutStored } from './set-by-lrs.ts';

/**
 * The rules of xAPI that a template breaks by what is fixed in it, whatever is put in for its placeholders.
 * @param version of the statements that it makes (`reactionVersion`).
 */
export function brokenRules(template: JsonObject, version: XapiVersion): Remark[] {
  const open: string[] = [];
  const filled = withoutStored(template, (each) => withSamples(each, templatePlace, open));
  const isOpen = (path: string): boolean =>
    open.some((place) => path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`));
  return detailsOf(filled, version)
    .filter(({ path }) => !isOpen(path))
    .map(remarkOf);
}

function detailsOf(statement: Json, version: XapiVersion): readonly ErrorDetail[] {
  try {
    requireLinkedAttachments(validateStatement(statement, { version, path: templatePlace }));
    return [];
  } catch (error) {
    if (error instanceof InvalidError) return error.details;
    throw error;
  }
}

/** A member that lacks is told of the object around it, which is there. */
function remarkOf({ path, message, section }: ErrorDetail): Remark {
  const rule = section === undefined ? '' : ` (${section})`;
  const end = `${rule}, so no statement is made`;
  if (!message.startsWith('is required')) return { path, message: `${message}${end}` };
  const last = path.lastIndexOf('.');
  return { path: path.slice(0, last), message: `has no ${path.slice(last + 1)}, which ${message}${end}` };
}

/** These decide what the other members of their object may be. */
const deciding: ReadonlySet<string> = new Set(['objectType', 'interactionType']);

/**
 * The template with a value in place of each placeholder.
 * @param open receives the places of which nothing is known: of a placeholder, or of an object for which one decides.
 */
function withSamples(value: Json, place: string, open: string[]): Json {
  if (Array.isArray(value))
    return value.map((item, index) => withSamples(item, placeBelow(place, index), open));
  if (!isObject(value)) return value;
  if (isPlaceholder(value)) {
    open.push(place);
    return sampleFor(value[pathMember]);
  }
  const members = Object.entries(value).map(([name, member]) => {
    if (deciding.has(name) && isObject(member) && isPlaceholder(member)) open.push(place);
    return [name, withSamples(member, placeBelow(place, name), open)];
  });
  return Object.fromEntries(members);
}

const agent = { mbox: 'mailto:somebody@example.org' };
const activity = { id: 'https://example.org/activities/some' };
const uuid = '00000000-0000-4000-8000-000000000000';

/** What a matched statement may have where templates usually take values from. */
const sample: Json = {
  id: uuid,
  actor: agent,
  verb: { id: 'https://example.org/verbs/some', display: { en: 'some' } },
  object: activity,
  result: { score: { scaled: 1 }, success: true, completion: true, response: 'some', duration: 'PT1S' },
  context: {
    registration: uuid,
    instructor: agent,
    contextActivities: { parent: [activity], grouping: [activity], category: [activity], other: [activity] },
    statement: { objectType: 'StatementRef', id: uuid },
  },
  timestamp: '2020-01-01T00:00:00Z',
  stored: '2020-01-01T00:00:00Z',
  authority: agent,
};

function sampleFor(path: Json | undefined): Json {
  const steps = Array.isArray(path) ? path.slice(1) : [];
  const isPath = steps.every((step) => typeof step === 'string' || typeof step === 'number');
  return (isPath ? valueAt(sample, steps as ReactionPath) : undefined) ?? 'some';
}
