import { createHash } from 'node:crypto';
import { activitiesOf } from '../activity.ts';
import { withLowerCaseDomain } from '../agent.ts';
import { timestampToMicroseconds } from '../timestamp.ts';
import {
  type Actor,
  type Attachment,
  type Context,
  contextActivityRoles,
  type LanguageMap,
  type Result,
  type Statement,
  type StatementObject,
  type StatementRef,
  type SubStatement,
} from '../types.ts';

/** Returns a promise when long work has to pause. */
type Pause = () => Promise<void> | undefined;

/** Makes what counts of a part of a statement, with `hashed` for the items of lists that may be long. */
type Make = (hashed: Hashed) => unknown;

/** The hash of an item, as base64. */
type Hashed = (item: Make) => string;

/** What a statement is compared by. It takes little memory, however long the statement is. */
export interface StatementDigest {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly subStatementTimestamp: string | undefined;
  /** The SHA-256 of everything else that counts. */
  readonly essence: string;
}

/**
 * To be computed once for a statement that is compared with several: it takes as long as parsing it, or longer.
 * @param pause called every few thousand characters; long work waits for what it returns.
 */
export async function digestOf(statement: Statement, pause: Pause): Promise<StatementDigest> {
  return {
    id: statement.id?.toLowerCase(),
    timestamp: statement.timestamp,
    subStatementTimestamp: subStatementTimestamp(statement),
    essence: await hashOf((hashed) => essence(statement, hashed), pause),
  };
}

/**
 * Whether two statements are the same (xAPI 1.0.3 Data 2.3.1, "Statement Comparison Requirements"). Ignored is only what
 * that section excepts from immutability: what an LRS assigns (`authority`, `stored` and `version`; `id` and `timestamp`
 * where one of the two has none), the `display` of verbs and the `definition` of activities, how a point in time is written, the
 * order of lists that have none, the bytes of attachments, and letter case where a format has none. An `objectType` left
 * out is the default one (Data 2.4.4), and a single context activity is a list of one (Data 2.4.6.2).
 * Numbers are compared as doubles, whatever further digits are stored.
 */
export function sameDigest(a: StatementDigest, b: StatementDigest): boolean {
  return (
    (a.id === undefined || b.id === undefined || a.id === b.id) &&
    (a.timestamp === undefined || b.timestamp === undefined || sameInstant(a.timestamp, b.timestamp)) &&
    sameInstant(a.subStatementTimestamp, b.subStatementTimestamp) &&
    a.essence === b.essence
  );
}

/**
 * A stored statement as it was sent: a missing timestamp was set to `stored` (xAPI 1.0.3 Data 2.4.7), so another copy of the
 * statement may have any timestamp. Only the `stored` of this store counts: that of an incoming statement may be anything.
 */
export function asSent(stored: Statement): Statement {
  if (stored.timestamp === undefined || stored.timestamp !== stored.stored) return stored;
  const { timestamp: _, ...sent } = stored;
  return sent;
}

function subStatementTimestamp({ object }: Statement): string | undefined {
  return object.objectType === 'SubStatement' ? object.timestamp : undefined;
}

/** Timestamps may be cut or rounded to milliseconds (xAPI 1.0.3 Data 4.5). */
function sameInstant(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a === b || Math.abs(timestampToMicroseconds(a) - timestampToMicroseconds(b)) < 1000;
}

/** What makes a statement this one and no other, timestamps aside; equal for equal statements once keys are sorted. */
function essence(statement: Statement | SubStatement, hashed: Hashed): object {
  return {
    actor: essenceOfActor(statement.actor, hashed),
    verb: statement.verb.id,
    object: essenceOfObject(statement.object, hashed),
    result: essenceOfResult(statement.result),
    context: essenceOfContext(statement.context, hashed),
    attachments: statement.attachments?.map((attachment) => hashed(() => essenceOfAttachment(attachment))),
  };
}

function essenceOfObject(object: StatementObject, hashed: Hashed): object {
  if (object.objectType === 'SubStatement')
    return { objectType: object.objectType, ...essence(object, hashed) };
  if (object.objectType === 'StatementRef') return essenceOfReference(object);
  if ('id' in object) return { objectType: 'Activity', id: object.id };
  return essenceOfActor(object, hashed);
}

function essenceOfReference(reference: StatementRef): object {
  return { objectType: reference.objectType, id: reference.id.toLowerCase() };
}

function essenceOfActor(actor: Actor, hashed: Hashed): object {
  return {
    ...actor,
    objectType: actor.objectType ?? 'Agent',
    mbox: actor.mbox && withLowerCaseDomain(actor.mbox),
    member: actor.objectType === 'Group' ? unordered(actor.member, essenceOfActor, hashed) : undefined,
  };
}

function essenceOfContext(context: Context | undefined, hashed: Hashed): object | undefined {
  if (context === undefined) return undefined;
  const { contextActivities } = context;
  return {
    ...context,
    registration: context.registration?.toLowerCase(),
    instructor: context.instructor && essenceOfActor(context.instructor, hashed),
    team: context.team && essenceOfActor(context.team, hashed),
    contextActivities:
      contextActivities &&
      contextActivityRoles.map(
        (role) =>
          contextActivities[role] && unordered(activitiesOf(contextActivities[role]), ({ id }) => id, hashed),
      ),
    contextAgents: unordered(
      context.contextAgents,
      ({ agent, relevantTypes, ...rest }, each) => ({
        ...rest,
        agent: essenceOfActor(agent, each),
        relevantTypes: unordered(relevantTypes, asItIs, each),
      }),
      hashed,
    ),
    contextGroups: unordered(
      context.contextGroups,
      ({ group, relevantTypes, ...rest }, each) => ({
        ...rest,
        group: essenceOfActor(group, each),
        relevantTypes: unordered(relevantTypes, asItIs, each),
      }),
      hashed,
    ),
    language: context.language?.toLowerCase(),
    statement: context.statement && essenceOfReference(context.statement),
  };
}

function essenceOfResult(result: Result | undefined): object | undefined {
  return result && { ...result, duration: result.duration && essenceOfDuration(result.duration) };
}

/** A duration counts as the text it is, but only to a hundredth of a second (xAPI 1.0.3 Data 2.3.1, 4.6). */
function essenceOfDuration(duration: string): string {
  return duration.replace(/[.,](\d{1,2})\d*S$/, (_seconds, hundredths: string) => {
    const significant = hundredths.replace(/0+$/, '');
    return significant === '' ? 'S' : `.${significant}S`;
  });
}

function essenceOfAttachment(attachment: Attachment): object {
  return {
    ...attachment,
    sha2: attachment.sha2.toLowerCase(),
    display: essenceOfLanguageMap(attachment.display),
    description: attachment.description && essenceOfLanguageMap(attachment.description),
  };
}

/** Language tags have no letter case (RFC 5646 section 2.1.1), and a map may have the same one in two. */
function essenceOfLanguageMap(map: LanguageMap): string[] {
  return Object.entries(map)
    .map(([tag, text]) => `${tag.toLowerCase()}:${text}`)
    .sort();
}

const asItIs = (text: string): string => text;

/** The items as hashes, because to sort thousands of long texts that begin alike takes longer than to hash them. */
function unordered<T>(
  list: readonly T[] | undefined,
  essenceOf: (item: T, hashed: Hashed) => unknown,
  hashed: Hashed,
): string[] | undefined {
  return list?.map((item) => hashed((each) => essenceOf(item, each))).sort();
}

/**
 * The SHA-256, as base64, of what is made, with the hashes of its items. The items are found by making it once without their hashes,
 * so that each is hashed by itself.
 */
async function hashOf(make: Make, pause: Pause): Promise<string> {
  const items: Make[] = [];
  const made = make((item) => {
    items.push(item);
    return '';
  });
  if (items.length === 0) return sha256(made, pause);
  const hashes: string[] = [];
  for (const item of items) hashes.push(await hashOf(item, pause));
  let at = 0;
  return sha256(
    make(() => hashes[at++] ?? ''),
    pause,
  );
}

/** Characters that are hashed before there may be a pause: less than a millisecond's work. */
const slice = 16_384;

async function sha256(tree: unknown, pause: Pause): Promise<string> {
  const hash = createHash('sha256');
  let text = '';
  for (const part of sortedText(tree)) {
    text += part;
    if (text.length < slice) continue;
    hash.update(text);
    text = '';
    await pause();
  }
  await pause();
  return hash.update(text).digest('base64');
}

/** A list or object whose text is still to be made. */
class Branch {
  constructor(readonly tree: object) {}
}

/** Parts of a text, the last one first. */
type Parts = (Branch | string)[];

/**
 * JSON in parts, with a comma behind each item and with the keys of every object in one order, so that equal trees have equal
 * texts. It builds no tree with sorted keys, which takes twice as long for an object of 50,000 keys.
 */
function* sortedText(tree: unknown): Generator<string> {
  const parts: Parts = [];
  pushItem(parts, '', tree);
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (typeof part === 'string') yield part;
    else if (Array.isArray(part.tree)) pushList(parts, part.tree);
    else pushObject(parts, part.tree);
  }
}

function pushItem(parts: Parts, label: string, tree: unknown): void {
  if (typeof tree === 'object' && tree !== null) parts.push(',', new Branch(tree), label);
  else parts.push(`${label}${JSON.stringify(tree)},`);
}

function pushList(parts: Parts, list: readonly unknown[]): void {
  parts.push(']');
  for (const item of list.toReversed()) pushItem(parts, '', item ?? null);
  parts.push('[');
}

function pushObject(parts: Parts, tree: object): void {
  const children = tree as Readonly<Record<string, unknown>>;
  const names = Object.keys(children).filter((name) => children[name] !== undefined);
  parts.push('}');
  for (const name of names.sort().reverse()) pushItem(parts, `${JSON.stringify(name)}:`, children[name]);
  parts.push('{');
}
