import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Database } from '../../lib/db/types.ts';
import type { Condition } from '../../lib/reactions/types.ts';
import type { Statement, XapiVersion } from '../../lib/xapi/types.ts';
import type { Administration, AdministrationPlace } from './admin-client.ts';
import type { ClientAnswer } from './gateway-events.ts';
import { type KeyPairHolder, keyPairHolder } from './key-pair.ts';
import { parsed } from './lrs-client.ts';
import {
  type ListedReaction,
  newTitle,
  type ReactionRoutes,
  reactionRoutes,
  withReactions,
} from './reactions.ts';
import { statement } from './statements.ts';

/** A generated statement as `GET /admin/reaction/{id}` lists it. */
export interface ShownFiring {
  readonly statementId: string;
  readonly triggerId: string;
  readonly matched: Readonly<Record<string, string>>;
}

/** What replaces parts of a ruleset; not checked, so that tests can send what is refused. */
export type RulesetParts = Readonly<Record<string, unknown>>;

export const iri = (name: string): string => `https://example.org/${name}`;

/** An IRI of an extension, and the path to it in a result. */
export const extension = iri('extension');
export const extensionPath = ['result', 'extensions', extension] as const;

/** A result whose extension has the value. */
export const extended = (value: unknown) =>
  ({ result: { extensions: { [extension]: value } } }) as Partial<Statement>;

/**
 * An LRS with reactions, used over HTTP only: by an operator with a token and by a learning record provider with a key pair.
 * Each test has a Verb of its own, so that the reactions of other tests have nothing to do with it.
 */
export class ReactionClient {
  readonly #place: AdministrationPlace;
  readonly #version: XapiVersion;
  readonly #created: string[] = [];
  #opened:
    | { readonly lrs: Administration; readonly provider: KeyPairHolder; readonly routes: ReactionRoutes }
    | undefined;
  verb = iri(randomUUID());

  /** @param version of the statements that are sent. */
  constructor(place: AdministrationPlace, version: XapiVersion = '1.0.3') {
    this.#place = place;
    this.#version = version;
  }

  async open(env: Readonly<Record<string, string>> = {}): Promise<void> {
    const lrs = await this.#place.open({ ...withReactions, ...env });
    const provider = await keyPairHolder(lrs, { version: this.#version });
    this.#opened = { lrs, provider, routes: reactionRoutes(lrs, await lrs.firstToken()) };
  }

  async close(): Promise<void> {
    await this.#opened?.lrs.close();
  }

  /** Deletes the reactions of a test, and goes on with another Verb. */
  async clear(): Promise<void> {
    await Promise.all(
      this.#created.splice(0).map((reactionId) => this.routes.send('DELETE', { reactionId })),
    );
    this.verb = iri(randomUUID());
  }

  get lrs(): Administration {
    return this.#open.lrs;
  }

  get routes(): ReactionRoutes {
    return this.#open.routes;
  }

  get provider(): KeyPairHolder {
    return this.#open.provider;
  }

  get db(): Database {
    return this.lrs.database.db;
  }

  get #open() {
    if (this.#opened === undefined) throw new Error('The LRS is not open.');
    return this.#opened;
  }

  /** A statement with the Verb of the test. */
  done(parts: Partial<Statement> = {}): Statement & { readonly id: string } {
    return { ...statement({ verb: { id: this.verb }, ...parts }), id: parts.id ?? randomUUID() };
  }

  /** One about an Activity. */
  at(activity: string, parts: Partial<Statement> = {}): Statement & { readonly id: string } {
    return this.done({ object: { objectType: 'Activity', id: iri(activity) }, ...parts });
  }

  isDone(): Condition {
    return { path: ['verb', 'id'], op: 'eq', val: this.verb };
  }

  isAt(activity: string): Condition {
    return { and: [this.isDone(), { path: ['object', 'id'], op: 'eq', val: iri(activity) }] };
  }

  /** A statement with the Verb of the test and the condition. */
  isDoneAnd(condition: unknown): unknown {
    return { and: [this.isDone(), condition] };
  }

  /** A template of a statement that no condition of the test holds for. */
  template(parts: object = {}): object {
    return {
      actor: { mbox: 'mailto:result@example.org' },
      verb: { id: `${this.verb}-result` },
      object: { id: iri('result') },
      ...parts,
    };
  }

  /** A ruleset with one condition, which the statements of the test fulfil, unless the parts say otherwise. */
  ruleset(parts: RulesetParts = {}): Record<string, unknown> {
    return { identityPaths: [], conditions: { a: this.isDone() }, template: this.template(), ...parts };
  }

  /** Makes an active reaction, until the end of the test. @returns its id. */
  async react(parts: RulesetParts = {}): Promise<string> {
    const id = await this.routes.create({ ruleset: this.ruleset(parts) });
    this.#created.push(id);
    return id;
  }

  /** The answer to a new reaction, which is deleted at the end of the test. */
  async tryToReact(parts: RulesetParts): Promise<ClientAnswer> {
    const body = { title: newTitle(), ruleset: this.ruleset(parts), active: true };
    const answer = await this.routes.send('POST', body);
    if (answer.status === 200) this.#created.push(String(Object(parsed(answer)).reactionId));
    return answer;
  }

  /** Stores statements as one batch and lets everything react to them that is to. @returns their ids. */
  async post(...statements: readonly Statement[]): Promise<string[]> {
    const ids = await this.provider.post(...statements);
    await this.lrs.settle();
    return ids;
  }

  /** The reaction as it is listed. */
  async reaction(id: string): Promise<ListedReaction> {
    const reaction = await this.routes.listed(id);
    if (reaction === undefined) throw new Error(`The reaction ${id} is not listed.`);
    return reaction;
  }

  /** Oldest first. */
  async firings(id: string): Promise<ShownFiring[]> {
    const { firings } = (await this.routes.details(id, 'limit=1000')) as { firings: ShownFiring[] };
    return firings.reverse();
  }

  /** The statements that the reaction has generated, oldest first. */
  async generated(id: string): Promise<Statement[]> {
    const firings = await this.firings(id);
    return Promise.all(firings.map(({ statementId }) => this.statement(statementId)));
  }

  /** A stored statement. */
  async statement(id: string): Promise<Statement> {
    const answer = await this.provider.xapi('GET', '/xapi/statements', { query: `statementId=${id}` });
    expect(answer.status, answer.body.toString()).toBe(200);
    return parsed(answer) as Statement;
  }

  /** What `GET /admin/reaction/firings` tells of a statement. */
  async links(id: string): Promise<{ triggered: ShownFiring[]; triggeredBy: ShownFiring | null }> {
    const token = await this.lrs.firstToken();
    const answer = await this.lrs.call('GET', '/admin/reaction/firings', { token, query: `statement=${id}` });
    expect(answer.status, answer.body.toString()).toBe(200);
    return parsed(answer) as { triggered: ShownFiring[]; triggeredBy: ShownFiring | null };
  }

  /**
   * Checks which conditions a statement with these parts fulfils: a reaction to all of `hold` fires, and one to any of `fail` does
   * not. Neither may have an error.
   */
  async expectFulfilled(
    parts: Partial<Statement>,
    { hold = [], fail = [] }: { readonly hold?: readonly unknown[]; readonly fail?: readonly unknown[] },
  ): Promise<void> {
    const reactTo = (condition: unknown) => this.react({ conditions: { a: this.isDoneAnd(condition) } });
    const holding = await reactTo({ and: [this.isDone(), ...hold] });
    const failing = fail.length === 0 ? undefined : await reactTo({ or: fail });
    await this.post(this.done(parts));
    expect([hold, await this.reaction(holding)]).toMatchObject([hold, { error: null, fired: 1 }]);
    if (failing === undefined) return;
    expect([fail, await this.reaction(failing)]).toMatchObject([fail, { error: null, fired: 0 }]);
  }
}
