import {
  contextActivityRoles,
  interactionComponentLists,
  interactionTypes,
  type XapiVersion,
} from '../../xapi/types.ts';
import type { ReactionPath, Step } from '../types.ts';
import type { TextFormat } from './text-format.ts';

/** What may stand at a place of a statement; `any` is whatever an extension holds. */
export type ValueKind = 'string' | 'number' | 'boolean' | 'any' | 'array' | 'object';

/** The numbers that statements may have at a place. */
export interface NumberRange {
  readonly least: number;
  readonly greatest: number;
  readonly isWhole?: boolean;
}

/** How text is compared: an instant by time, an id without regard to case, the rest character by character. */
export type TextKind = 'plain' | 'instant' | 'uuid';

interface ShapeOf<Kind extends ValueKind> {
  readonly kind: Kind;
  readonly text?: TextKind;
  readonly format?: TextFormat;
  /** The only texts that there may be. */
  readonly texts?: readonly string[];
  readonly numbers?: NumberRange;
  /** Of an array. */
  readonly item?: Shape;
  /** Of an object with fixed members. */
  readonly members?: Readonly<Record<string, Shape>>;
  /** Of an object whose members may have any name. */
  readonly value?: Shape;
  /** What those names have to be. */
  readonly names?: TextFormat;
}
export type Shape = ShapeOf<ValueKind>;

const string: Shape = { kind: 'string' };
const number: Shape = { kind: 'number' };
const boolean: Shape = { kind: 'boolean' };
const instant: Shape = { kind: 'string', text: 'instant' };
const textAs = (format: TextFormat): Shape => ({ kind: 'string', format });
const oneOf = (...texts: readonly string[]): Shape => ({ kind: 'string', texts });
const numberIn = (numbers: NumberRange): Shape => ({ kind: 'number', numbers });
const uuid: Shape = { kind: 'string', text: 'uuid', format: 'uuid' };
const iri = textAs('iri');
const any: Shape = { kind: 'any' };
const arrayOf = (item: Shape): Shape => ({ kind: 'array', item });
const mapOf = (value: Shape, names: TextFormat): Shape => ({ kind: 'object', value, names });
const objectOf = (members: Readonly<Record<string, Shape>>): Shape => ({ kind: 'object', members });
const all = <Name extends string>(names: readonly Name[], shape: Shape): Record<Name, Shape> =>
  Object.fromEntries(names.map((name) => [name, shape])) as Record<Name, Shape>;

const languageMap = mapOf(string, 'language');
const extensions = mapOf(any, 'iri');

const identifierMembers = {
  name: string,
  mbox_sha1sum: textAs('sha1'),
  mbox: textAs('mailbox'),
  openid: iri,
  account: objectOf({ homePage: iri, name: string }),
};
const agent = objectOf({ ...identifierMembers, objectType: oneOf('Agent') });
const actorMembers = { ...identifierMembers, member: arrayOf(agent) };
const actor = objectOf({ ...actorMembers, objectType: oneOf('Agent', 'Group') });
const group = objectOf({ ...actorMembers, objectType: oneOf('Group') });

const verb = objectOf({ id: iri, display: languageMap });

const definition = objectOf({
  name: languageMap,
  description: languageMap,
  ...all(['type', 'moreInfo'], iri),
  interactionType: oneOf(...interactionTypes),
  correctResponsesPattern: arrayOf(string),
  ...all(interactionComponentLists, arrayOf(objectOf({ id: string, description: languageMap }))),
  extensions,
});
const activity = objectOf({ objectType: oneOf('Activity'), id: iri, definition });
const statementRef = objectOf({ objectType: oneOf('StatementRef'), id: uuid });

const result = objectOf({
  score: objectOf({
    scaled: numberIn({ least: -1, greatest: 1 }),
    ...all(['raw', 'min', 'max'], number),
  }),
  ...all(['success', 'completion'], boolean),
  response: string,
  duration: textAs('duration'),
  extensions,
});

const attachments = arrayOf(
  objectOf({
    ...all(['usageType', 'fileUrl'], iri),
    contentType: textAs('mediaType'),
    sha2: textAs('sha2'),
    ...all(['display', 'description'], languageMap),
    length: numberIn({ least: 0, greatest: Number.POSITIVE_INFINITY, isWhole: true }),
  }),
);

const relevantTypes = arrayOf(iri);

/** Agents and Groups that take part, with the roles that they have (xAPI 2.0.0 section 4.2.2). */
const participants = {
  contextAgents: arrayOf(objectOf({ objectType: oneOf('contextAgent'), agent, relevantTypes })),
  contextGroups: arrayOf(objectOf({ objectType: oneOf('contextGroup'), group, relevantTypes })),
};

/** What the object of a SubStatement may be; that of a statement may be a SubStatement, too. */
const plainObjectTypes = ['Activity', 'Agent', 'Group', 'StatementRef'] as const;

function statementShape(version: XapiVersion): Shape {
  const context = objectOf({
    registration: uuid,
    instructor: actor,
    team: group,
    contextActivities: objectOf(all(contextActivityRoles, arrayOf(activity))),
    ...all(['revision', 'platform'], string),
    language: textAs('language'),
    statement: statementRef,
    extensions,
    ...(version === '2.0.0' && participants),
  });
  // A StatementRef has an id, too.
  const object = { ...actorMembers, id: textAs('object'), definition };
  const common = { actor, verb, result, context, timestamp: instant, attachments };
  return objectOf({
    id: uuid,
    ...common,
    object: objectOf({
      ...object,
      ...common,
      objectType: oneOf(...plainObjectTypes, 'SubStatement'),
      object: objectOf({ ...object, objectType: oneOf(...plainObjectTypes) }),
    }),
    stored: instant,
    authority: actor,
    version: textAs('version'),
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
  return shapeOfAnyVersion(path)?.text ?? 'plain';
}

/** What statements of any version may have at the path; undefined where they have nothing. */
export function shapeOfAnyVersion(path: ReactionPath): Shape | undefined {
  return shapeAt(path, '2.0.0');
}
