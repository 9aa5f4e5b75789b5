import { selectAccounts } from '../accounts/store.ts';
import type { ContentStore } from '../attachments/types.ts';
import type { CredentialService } from '../credentials/types.ts';
import type { Database } from '../db/types.ts';
import { storedText } from '../position.ts';
import type { ReactionService } from '../reactions/service-types.ts';
import { agentOf } from '../xapi/agent.ts';
import { contentLines } from './content-parts.ts';
import {
  type ExportCounts,
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
 * All that the store has, line by line, each with its end. Statements end at the newest one that is stored when it begins, so
 * servers may go on. Nothing is held in memory but the hashes of contents that are written.
 */
export async function* exportLines(options: ExportOptions): AsyncGenerator<string> {
  const counts = new Map<ExportedKind, number>();
  for await (const line of linesOf(options)) {
    const kind = exportedKinds.find((each) => each.slice(0, -1) in line);
    if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + (isPart(line) ? 0 : 1));
    if (!options.plain) yield printed(line);
    else if ('text' in line) yield `${line.text}\n`;
  }
  if (options.plain) return;
  const end = Object.fromEntries(exportedKinds.map((kind) => [kind, counts.get(kind) ?? 0])) as ExportCounts;
  yield printed({ end });
}

/** A line whose statement is the text that is stored, with every number in it as it came. */
interface StatementLine {
  readonly statement: true;
  readonly text: string;
  readonly rest: object;
}

type Line = Exclude<ExportLine, { readonly statement: object }> | StatementLine;

const isPart = (line: Line): boolean => 'content' in line && line.content.more === true;

function printed(line: Line): string {
  if (!('text' in line)) return `${JSON.stringify(line)}\n`;
  const rest = JSON.stringify(line.rest).slice(1, -1);
  return `{"statement":${line.text}${rest === '' ? '' : `,${rest}`}}\n`;
}

async function* linesOf(options: ExportOptions): AsyncGenerator<Line> {
  const { db, secrets, plain, now, onProgress } = options;
  const through = await newestPosition(db);
  const statements = await countStatements(db);
  const made = new Date(now()).toISOString();
  yield { export: { format: formatName, version: formatVersion, made, statements, secrets } };
  if (!plain) {
    yield* accountLines(options);
    for await (const document of readDocuments(db)) yield documentLine(document);
  }
  let done = 0;
  const written = new Set<string>();
  for await (const statement of readStatements(db, { contents: options.contents, through })) {
    if (!plain) yield* newContents(options.contents, statement, written);
    yield statementLine(statement);
    done += 1;
    onProgress?.(done, statements);
  }
  if (!plain) {
    for (const text of await options.reactions.list()) {
      const { title, active, ruleset } = JSON.parse(text);
      yield { reaction: { title, active, ruleset } };
    }
  }
}

async function* accountLines({ db, credentials, secrets }: ExportOptions): AsyncGenerator<Line> {
  for (const { id, username, passwordHash, issuer } of await db.read(selectAccounts)) {
    yield {
      account: {
        id,
        username,
        ...(issuer !== null && { issuer }),
        ...(secrets && passwordHash !== undefined && { passwordHash }),
      },
    };
    // Those of one moment have no other order that is the same in every store.
    const keyPairs = (await credentials.list(id)).sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const { id: keyPair, apiKey, secretKey, label, scopes } of keyPairs) {
      const secret = secrets && secretKey !== null ? { secretKey } : {};
      yield { keyPair: { id: keyPair, account: id, apiKey, ...secret, label, scopes } };
    }
  }
}

function documentLine(document: ExportedDocument): Line {
  const { kind, activity, agent, registration, id, content_type: contentType, updated, content } = document;
  return {
    document: {
      kind,
      ...(activity !== null && { activityId: activity }),
      ...(agent !== null && { agent: agentOf(agent) }),
      ...(registration !== null && { registration }),
      ...{ id, contentType },
      updated: storedText(Number(updated)),
      content: content.toString('base64'),
    },
  };
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
    for (const { sha2, content: bytes } of await store.read([content])) {
      for (const line of contentLines(sha2, bytes)) yield { content: line };
    }
  }
}

function statementLine({ text, voided, contents }: ExportedStatement): StatementLine {
  const carried = contents.map(({ sha2, contentType }) => ({ sha2, contentType }));
  carried.sort((a, b) => (a.sha2 < b.sha2 ? -1 : 1));
  const rest = { ...(voided && { voided }), ...(carried.length > 0 && { contents: carried }) };
  return { statement: true, text, rest };
}
