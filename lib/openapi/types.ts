import type { ErrorCode } from '../errors.ts';
import type { Tag } from './tags.ts';

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Who may call: holders of a key pair, of a login token, or anybody. */
export type Access = 'key-pair' | 'login' | 'anybody';

/** A route as it is called: its path has the prefix that the configuration gives it. */
export interface DescribedRoute<Handler extends string> {
  readonly method: string;
  readonly path: string;
  readonly handler: Handler;
  readonly access: Access;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header' | 'path';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

/** Media type → schema of what is sent in it. */
export type Content = Readonly<Record<string, JsonSchema>>;

export interface Answer {
  readonly description: string;
  readonly content?: Content;
  /** Name → meaning. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A call and its answer. All examples together tell one story, which a test replays against a running server: values from
 * `examples.ts` stand for what differs between servers.
 */
export interface Example {
  readonly summary: string;
  /** Values of parameters, in the query or the header. */
  readonly parameters?: Readonly<Record<string, string | number | readonly string[]>>;
  readonly body?: Sample;
  readonly status: number;
  /** Left out where there is no body. */
  readonly answer?: Sample;
}

export interface Sample {
  readonly contentType: string;
  readonly value: unknown;
}

/** What one handler does, as clients see it. */
export interface Operation {
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** Whether a token that is good once does as well. */
  readonly oneTime?: true;
  readonly parameters?: readonly Parameter[];
  readonly body?: Content;
  readonly bodyOptional?: boolean;
  /** Status → answer, of those that are no error. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** What may go wrong here besides what may go wrong everywhere. */
  readonly errors?: readonly ErrorCode[];
  readonly examples: Readonly<Record<string, Example>>;
}
