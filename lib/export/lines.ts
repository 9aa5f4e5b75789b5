import { selectAccounts } from '../accounts/store.ts';
import type { ContentStore } from '../attachments/types.ts';
import type { CredentialService } from '../credentials/types.ts';
import type { Database } from '../db/types.ts';
import { storedText } from '../position.ts';
import type { ReactionService } from '../reactions/service-types.ts';
import { longestSlice, textSlices } from '../text-slices.ts';
import { agentOf } from '../xapi/agent.ts';
import { base64Slices, contentParts } from './content-parts.ts';
import {
  type ExportCounts,
  type ExportedDocumentLine,
  type ExportedKind,
  type ExportLine,
  exportedKinds,
  formatName,
  formatVersion,
} from './format.ts';
import {
  countStatements,
  type ExportedDocument,
  type ExportedStatement,
  newestPosition,
  readDocuments,
  readStatements,
} from './reader.ts';

export interface ExportOptions {
  readonly db: Database;
  readonly contents: ContentStore;
  readonly credentials: Pick<CredentialService, 'list'>;
  readonly reactions: Pick<ReactionService, 'list'>;
  /** Whether hashes of passwords and secret keys are included. */
  readonly secrets: boolean;
  /** Whether lines hold statements and nothing else, which other programs understand. */
  readonly plain: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told how many statements are written, and how many there were at the beginning. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * All that the store has, as lines of JSON. A long line comes in slices, so that other work may be done in between. Statements end
 * at the newest one that is stored when it begins, so servers may go on. Nothing is held in memory but the hashes of contents
 * that are written.
 */
export async function* exportText(options: ExportOptions): AsyncGenerator<string> {
  const counts = new Map<ExportedKind, number>();
  for await (const { kind, isPart, text } of linesOf(options)) {
    if (kind !== undefined && !isPart) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (typeof text === 'string') yield text;
    else yield* text;
  }
  if (options.plain) return;
  const end = Object.fromEntries(exportedKinds.map((kind) => [kind, counts.get(kind) ?? 0])) as ExportCounts;
  yield printed({ end });
}

/** A line with its end. */
interface Line {
  /** What it is counted as. */
  readonly kind?: ExportedKind;
  /** Whether more lines follow for the same. */
  readonly isPart?: boolean;
  /** In slices where it is long. */
  readonly text: string | Iterable<string>;
}

const printed = (line: ExportLine): string => `${JSON.stringify(line)}\n`;

async function* linesOf(options: ExportOptions): AsyncGenerator<Line> {
  const { db, secrets, plain, now, onProgress } = options;
  const through = await newestPosition(db);
  const statements = await countStatements(db);
  const made = new Date(now()).toISOString();
  if (!plain) {
    yield {
      text: printed({ export: { format: formatName, version: formatVersion, made, statements, secrets } }),
    };
    yield* accountLines(options);
    for await (const document of readDocuments(db)) {
      yield { kind: 'documents', text: documentText(document) };
    }
  }
  let done = 0;
  const written = new Set<string>();
  for await (const statement of readStatements(db, { contents: options.contents, through })) {
    if (!plain) yield* newContents(options.contents, statement, written);
    yield { kind: 'statements', text: plain ? plainText(statement) : statementText(statement) };
    done += 1;
    onProgress?.(done, statements);
  }
  if (!plain) {
    for (const text of await options.reactions.list()) {
      const { title, active, ruleset } = JSON.parse(text);
      yield { kind: 'reactions', text: printed({ reaction: { title, active, ruleset } }) };
    }
  }
}

async function* accountLines({ db, credentials, secrets }: ExportOptions): AsyncGenerator<Line> {
  for (const { id, username, passwordHash, issuer } of await db.read(selectAccounts)) {
    const account = {
      id,
      username,
      ...(issuer !== null && { issuer }),
      ...(secrets && passwordHash !== undefined && { passwordHash }),
    };
    yield { kind: 'accounts', text: printed({ account }) };
    // Those of one moment have no other order that is the same in every store.
    const keyPairs = (await credentials.list(id)).sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const { id: keyPair, apiKey, secretKey, label, scopes } of keyPairs) {
      const secret = secrets && secretKey !== null ? { secretKey } : {};
      const line = { keyPair: { id: keyPair, account: id, apiKey, ...secret, label, scopes } };
      yield { kind: 'keyPairs', text: printed(line) };
    }
  }
}

function* documentText(document: ExportedDocument): Generator<string> {
  const { kind, activity, agent, registration, id, content_type: contentType, updated, content } = document;
  const fields: Omit<ExportedDocumentLine, 'content'> = {
    kind,
    ...(activity !== null && { activityId: activity }),
    ...(agent !== null && { agent: agentOf(agent) }),
    ...(registration !== null && { registration }),
    ...{ id, contentType },
    updated: storedText(Number(updated)),
  };
  yield `{"document":${JSON.stringify(fields).slice(0, -1)},"content":"`;
  yield* base64Slices(content);
  yield '"}}\n';
}

async function* newContents(
  store: ContentStore,
  { contents }: ExportedStatement,
  written: Set<string>,
): AsyncGenerator<Line> {
  for (const content of contents) {
    if (written.has(content.sha2)) continue;
    written.add(content.sha2);
    // One at a time, because each may be large.
    for (const { sha2, content: whole } of await store.read([content])) {
      for (const { bytes, isLast } of contentParts(whole)) {
        yield { kind: 'contents', isPart: !isLast, text: contentText(sha2, bytes, isLast) };
      }
    }
  }
}

function* contentText(sha2: string, bytes: Buffer, isLast: boolean): Generator<string> {
  yield `{"content":{"sha2":"${sha2}","data":"`;
  yield* base64Slices(bytes);
  yield isLast ? '"}}\n' : '","more":true}}\n';
}

/** The text that is stored, with every number in it as it came. */
function statementText({ text, voided, contents }: ExportedStatement): string | Iterable<string> {
  const carried = contents.map(({ sha2, contentType }) => ({ sha2, contentType }));
  carried.sort((a, b) => (a.sha2 < b.sha2 ? -1 : 1));
  const rest = JSON.stringify({
    ...(voided && { voided }),
    ...(carried.length > 0 && { contents: carried }),
  });
  return around('{"statement":', text, `${rest === '{}' ? '' : `,${rest.slice(1, -1)}`}}\n`);
}

const plainText = ({ text }: ExportedStatement): string | Iterable<string> => around('', text, '\n');

/** A text with what stands around it; in slices if it is long. */
function around(before: string, text: string, after: string): string | Iterable<string> {
  return text.length <= longestSlice ? before + text + after : slicesAround(before, text, after);
}

function* slicesAround(before: string, text: string, after: string): Generator<string> {
  yield before;
  yield* textSlices(text);
  yield after;
}
