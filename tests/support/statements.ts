import type { AttachmentContent } from '../../lib/attachments/types.ts';
import type { Database } from '../../lib/db/types.ts';
import { createStatementService, type StatementServiceOptions } from '../../lib/statements/service.ts';
import type {
  IncomingStatement,
  Presentation,
  StatementBatch,
  StatementPage,
  StatementQuery,
  StatementService,
} from '../../lib/statements/types.ts';
import type { Actor, Agent, Statement } from '../../lib/xapi/types.ts';

export const authority: Agent = {
  objectType: 'Agent',
  account: { homePage: 'https://lrs.example', name: 'key' },
};

export const voidedVerb = 'http://adlnet.gov/expapi/verbs/voided';

export const exact: Presentation = { format: 'exact', attachments: false, languages: [] };

/** All statements, newest first, 100 a page. */
export const everything: StatementQuery = {
  relatedAgents: false,
  relatedActivities: false,
  ascending: false,
  limit: 100,
};

export function agent(name: string): Agent {
  return { objectType: 'Agent', mbox: `mailto:${name}@example.org` };
}

/** A small statement, with anything replaced or added. */
export function statement(parts: Partial<Statement> = {}): Statement {
  return {
    actor: agent('someone'),
    verb: { id: 'https://example.org/verbs/did' },
    object: { objectType: 'Activity', id: 'https://example.org/activities/something' },
    ...parts,
  };
}

export function reference(id: string, parts: Partial<Statement> = {}): Statement {
  return statement({ object: { objectType: 'StatementRef', id }, ...parts });
}

export function voiding(id: string, parts: Partial<Statement> = {}): Statement {
  return reference(id, { verb: { id: voidedVerb }, ...parts });
}

export function incoming(plain: Statement): IncomingStatement {
  return { statement: plain, source: plain };
}

export function batchOf(
  statements: readonly Statement[],
  rest: { attachments?: readonly AttachmentContent[]; authority?: Actor } = {},
): StatementBatch {
  return {
    statements: statements.map(incoming),
    attachments: rest.attachments ?? [],
    authority: rest.authority ?? authority,
    version: '1.0.3',
  };
}

export function serviceOn(db: Database, options: Partial<StatementServiceOptions> = {}): StatementService {
  return createStatementService(db, { pageBytes: 4_194_304, waitingBytes: 100_663_296, ...options });
}

/** All pages of a query, following `next`. */
export async function walk(
  service: StatementService,
  query: Partial<StatementQuery> = {},
  presentation: Presentation = exact,
): Promise<StatementPage[]> {
  const pages: StatementPage[] = [];
  let from = query.from;
  do {
    const page = await service.query(
      { ...everything, ...query, ...(from !== undefined && { from }) },
      presentation,
    );
    pages.push(page);
    from = page.next;
  } while (from !== undefined);
  return pages;
}

/** The ids of the statements that a query finds, in order, over all pages. */
export async function foundIds(
  service: StatementService,
  query: Partial<StatementQuery> = {},
): Promise<string[]> {
  const pages = await walk(service, query);
  return pages.flatMap(({ statements }) => statements.map(({ text }) => String(JSON.parse(text).id)));
}

/** One statement as JSON, by id. */
export async function read(service: StatementService, id: string, voided = false): Promise<Statement> {
  const page = await service.get({ id, voided }, exact);
  return JSON.parse(page.statements[0]?.text ?? '');
}
