import { contextActivityRoles, interactionComponentLists, type XapiVersion } from '../../xapi/types.ts';
import type { ReactionPath, Step } from '../types.ts';

/** What may stand at a place of a statement; `any` is whatever an extension holds. */
export type ValueKind = 'string' | 'number' | 'boolean' | 'any' | 'array' | 'object';

/** What text has to be, as each statement that is stored was checked: an IRI, a mailbox, or what identifies an Object. */
export type TextFormat = 'iri' | 'mailbox' | 'object';

/** How text is compared: an instant by time, an id without regard to case, the rest character by character. */
export type TextKind = 'plain' | 'instant' | 'uuid';

interface ShapeOf<Kind extends ValueKind> {
  readonly kind: Kind;
  readonly text?: TextKind;
  readonly format?: TextFormat;
  /** Of an array. */
  readonly item?: Shape;
  /** Of an object with fixed members. */
  readonly members?: Readonly<Record<string, Shape>>;
  /** Of an object whose members may have any name. */
  readonly value?: Shape;
}
export type Shape = ShapeOf<ValueKind>;

const string: Shape = { kind: 'string' };
const number: Shape = { kind: 'number' };
const boolean: Shape = { kind: 'boolean' };
const instant: Shape = { kind: 'string', text: 'instant' };
const uuid: Shape = { kind: 'string', text: 'uuid' };
const iri: Shape = { kind: 'string', format: 'iri' };
const mailbox: Shape = { kind: 'string', format: 'mailbox' };
const any: Shape = { kind: 'any' };
const arrayOf = (item: Shape): Shape => ({ kind: 'array', item });
const mapOf = (value: Shape): Shape => ({ kind: 'object', value });
const objectOf = (members: Readonly<Record<string, Shape>>): Shape => ({ kind: 'object', members });
const all = <Name extends string>(names: readonly Name[], shape: Shape): Record<Name, Shape> =>
  Object.fromEntries(names.map((name) => [name, shape])) as Record<Name, Shape>;

const languageMap = mapOf(string);
const extensions = mapOf(any);

const agentMembers = {
  ...all(['objectType', 'name', 'mbox_sha1sum'], string),
  mbox: mailbox,
  openid: iri,
  account: objectOf({ homePage: iri, name: string }),
};
const agent = objectOf(agentMembers);
const actorMembers = { ...agentMembers, member: arrayOf(agent) };
const actor = objectOf(actorMembers);

const verb = objectOf({ id: iri, display: languageMap });

const definition = objectOf({
  name: languageMap,
  description: languageMap,
  ...all(['type', 'moreInfo'], iri),
  interactionType: string,
  correctResponsesPattern: arrayOf(string),
  ...all(interactionComponentLists, arrayOf(objectOf({ id: string, description: languageMap }))),
  extensions,
});
const activityMembers = { objectType: string, id: iri, definition };
const activity = objectOf(activityMembers);
const statementRef = objectOf({ objectType: string, id: uuid });

const result = objectOf({
  score: objectOf(all(['scaled', 'raw', 'min', 'max'], number)),
  ...all(['success', 'completion'], boolean),
  ...all(['response', 'duration'], string),
  extensions,
});

const attachments = arrayOf(
  objectOf({
    ...all(['usageType', 'fileUrl'], iri),
    ...all(['contentType', 'sha2'], string),
    ...all(['display', 'description'], languageMap),
    length: number,
  }),
);

/** Of an Agent or Group that takes part, with the role that it has (xAPI 2.0.0 section 4.2.2). */
const participant = (role: 'agent' | 'group'): Shape =>
  arrayOf(objectOf({ objectType: string, [role]: actor, relevantTypes: arrayOf(iri) }));

function statementShape(version: XapiVersion): Shape {
  const context = objectOf({
    registration: uuid,
    instructor: actor,
    team: actor,
    contextActivities: objectOf(all(contextActivityRoles, arrayOf(activity))),
    ...all(['revision', 'platform', 'language'], string),
    statement: statementRef,
    extensions,
    ...(version === '2.0.0' && { contextAgents: participant('agent'), contextGroups: participant('group') }),
  });
  // A StatementRef has an id, too.
  const id: Shape = { kind: 'string', format: 'object' };
  const object = { ...activityMembers, ...actorMembers, id };
  const common = { actor, verb, result, context, timestamp: instant, attachments };
  return objectOf({
    id: uuid,
    ...common,
    object: objectOf({ ...object, ...common, object: objectOf(object) }),
    stored: instant,
    authority: actor,
    version: string,
  });
}

const shapes: Readonly<Record<XapiVersion, Shape>> = {
  '1.0.3': statementShape('1.0.3'),
  '2.0.0': statementShape('2.0.0'),
};

/** The shape one step below; undefined where nothing may stand there. */
function below(shape: Shape, step: Step): Shape | undefined {
  if (shape.kind === 'any') return any;
  if (shape.kind === 'array') return typeof step === 'number' ? shape.item : undefined;
  if (typeof step === 'number') return undefined;
  if (shape.members !== undefined)
    return Object.hasOwn(shape.members, step) ? shape.members[step] : undefined;
  return shape.value;
}

/** What statements of this version may have at the path; undefined where they have nothing. */
export function shapeAt(path: ReactionPath, version: XapiVersion): Shape | undefined {
  let shape: Shape | undefined = shapes[version];
  for (const step of path) shape = shape && below(shape, step);
  return shape;
}

/** The kind of value at the path; undefined where statements of this version have nothing. */
export function kindAt(path: ReactionPath, version: XapiVersion): ValueKind | undefined {
  return shapeAt(path, version)?.kind;
}

/**
 * The member names that may follow the path: empty where any name may, or none. An array is followed by an index.
 */
export function membersAt(path: ReactionPath, version: XapiVersion): readonly string[] {
  return Object.keys(shapeAt(path, version)?.members ?? {});
}

/** How text at the path is compared, whatever the version. */
export function textKindAt(path: ReactionPath): TextKind {
  return shapeAt(path, '2.0.0')?.text ?? 'plain';
}

/** What text at the path has to be; undefined where it may be any. */
export function textFormatAt(path: ReactionPath): TextFormat | undefined {
  return shapeAt(path, '2.0.0')?.format;
}
