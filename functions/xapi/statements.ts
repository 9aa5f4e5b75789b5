import type { Client } from '../../lib/client-turns.ts';
import { nameOfPrincipal } from '../../lib/credentials/types.ts';
import type { Step, XapiCall } from '../../lib/http/call.ts';
import { clientAddress } from '../../lib/http/client-address.ts';
import { type Handler, type Open, type XapiAction, xapiHandler } from '../../lib/http/handler.ts';
import { json, jsonText, noContent } from '../../lib/http/responses.ts';
import { formatStatementBody, readStatementBody } from '../../lib/http/statement-body.ts';
import { asksForHtml, versionForHtml } from '../../lib/http/steps/asks-for-html.ts';
import { consistentThrough } from '../../lib/http/steps/consistent-through.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { onUse } from '../../lib/on-use.ts';
import { networkOf } from '../../lib/rate-limits/network.ts';
import { singleParameters } from '../../lib/single-parameters.ts';
import type { StatementSelection } from '../../lib/statements/parameters.ts';
import { exactResult, moreLink, newest, resultText, singleText } from '../../lib/statements/present.ts';
import type { Delivery, Position, StatementPage, StatementQuery } from '../../lib/statements/types.ts';
import { languageRanges } from '../../lib/xapi/language.ts';
import { readsOnlyOwnStatements } from '../../lib/xapi/scopes.ts';
import { isVoiding, targetOf } from '../../lib/xapi/statement/reference.ts';
import type { Statement } from '../../lib/xapi/types.ts';
import { allowedMethods } from '../router.ts';

/** Loaded with the first request that has parameters: what checks them takes a function as long as all the rest. */
const parameterReaders = onUse(() => import('../../lib/statements/parameters.ts'));

/** The texts, and the page that is made of them; for people it is longer, in text and in bytes. */
const jsonMemory = 2;
const htmlMemory = 10;

type Again = Parameters<XapiAction>[1];

/** The statement resource (xAPI 1.0.3 Communication 2.1). */
export function statementHandlers(
  open: Open,
): Record<'getStatements' | 'putStatement' | 'postStatements', Handler> {
  const actions: Record<string, XapiAction> = {
    GET: getStatements,
    HEAD: getStatements,
    PUT: putStatement,
    POST: postStatements,
  };
  const more: Step<XapiCall>[] = [consistentThrough()];
  const handler = xapiHandler(open, 'statements', {
    actions,
    first: [versionForHtml()],
    more,
    allowed: allowedMethods,
  });
  return { getStatements: handler, putStatement: handler, postStatements: handler };
}

async function getStatements(call: XapiCall): Promise<HttpResponse> {
  const { readStatementParameters } = await parameterReaders();
  const selection = readStatementParameters(call.query, call.lrs.config.lrs);
  const isHtml = asksForHtml(call) && !selection.attachments;
  const filter = isHtml ? undefined : filterSentAsBytes(call, selection);
  if (filter !== undefined) return exactList(call, filter);
  const page = await pageOf(call, selection, isHtml ? htmlMemory : jsonMemory);
  if (call.account !== undefined) noteShown(call, page.statements.length, page.attachments.length);
  if (isHtml) return htmlAnswer(call, selection, page);
  const text = 'id' in selection ? singleText(page) : listText(call, selection.filter.limit, page);
  return answer(text, page, selection.attachments);
}

/** Loaded when somebody opens statements in a browser. */
async function htmlAnswer(call: XapiCall, selection: StatementSelection, page: StatementPage) {
  const { statementPage } = await import('../../lib/http/html/statement-page.ts');
  const more = 'id' in selection ? '' : moreOf(call, selection.filter.limit, page);
  return statementPage(page, { more, languages: languageRanges(call.headers['accept-language']) });
}

/** @param memory bytes that the answer takes for each byte of its texts. */
function pageOf(call: XapiCall, selection: StatementSelection, memory: number): Promise<StatementPage> {
  const { statements } = call.lrs;
  const own = ownOf(call);
  const presentation = {
    format: selection.format,
    attachments: selection.attachments,
    asVersion1: isAnsweredAsVersion1(call),
    languages: selection.format === 'canonical' ? languageRanges(call.headers['accept-language']) : [],
    reserve: reserveIn(call, memory),
    client: new CallingClient(call),
  };
  return 'id' in selection
    ? statements.get({ id: selection.id, voided: selection.voided, ...own }, presentation)
    : statements.query({ ...selection.filter, ...own }, presentation);
}

/** A call that may read no other statements than those of its own authority. */
function ownOf({ principal: { authority, scopes } }: XapiCall): Pick<StatementQuery, 'authority'> {
  return readsOnlyOwnStatements(scopes) ? { authority } : {};
}

/** @param memory bytes that the answer takes for each byte of its texts. */
function reserveIn({ responseMemory }: XapiCall, memory: number): (bytes: number) => void {
  return (bytes) => responseMemory?.reserve(memory * bytes);
}

function isAnsweredAsVersion1({ lrs, version }: XapiCall): boolean {
  return lrs.config.lrs.enableStrictVersion && version === '1.0.3';
}

/** The filter of a page of stored texts as they are. Most gateways carry text, and bytes only in base64. */
function filterSentAsBytes(call: XapiCall, selection: StatementSelection): StatementQuery | undefined {
  const isExact = selection.format === 'exact' && !selection.attachments && !isAnsweredAsVersion1(call);
  if (!isExact || call.answerLimit !== Number.POSITIVE_INFINITY) return undefined;
  return 'filter' in selection ? selection.filter : undefined;
}

async function exactList(call: XapiCall, filter: StatementQuery): Promise<HttpResponse> {
  const page = await call.lrs.statements.queryExact(
    { ...filter, ...ownOf(call) },
    { reserve: reserveIn(call, jsonMemory), client: new CallingClient(call) },
  );
  if (call.account !== undefined) noteShown(call, page.count, 0);
  const more = moreLink(call.externalPath, call.query, { limit: filter.limit, next: page.next });
  return jsonText(200, exactResult(page, more), lastModified(page.newest));
}

function listText(call: XapiCall, limit: number, page: StatementPage): string {
  return resultText(page, moreOf(call, limit, page));
}

function moreOf(call: XapiCall, limit: number, { next }: StatementPage): string {
  return moreLink(call.externalPath, call.query, { limit, next });
}

/** With `attachments=true` always multipart, even without any attachment. */
async function answer(text: string, page: StatementPage, attachments: boolean): Promise<HttpResponse> {
  const headers = lastModified(newest(page));
  if (!attachments) return jsonText(200, text, headers);
  const { contentType, body } = await formatStatementBody(text, page.attachments);
  return { statusCode: 200, headers: { ...headers, 'Content-Type': contentType }, body };
}

function lastModified(position: Position | undefined): Record<string, string> {
  return position === undefined ? {} : { 'Last-Modified': new Date(position / 1000).toUTCString() };
}

async function putStatement(call: XapiCall, authenticateAgain: Again): Promise<HttpResponse> {
  const { readPutParameters } = await parameterReaders();
  const statementId = readPutParameters(call.query);
  const { delivery, note } = await notedDelivery(call, authenticateAgain);
  await scanned(call, delivery);
  try {
    await call.lrs.statements.receive({ ...delivery, statementId });
  } finally {
    note();
  }
  return noContent();
}

async function postStatements(call: XapiCall, authenticateAgain: Again): Promise<HttpResponse> {
  // There are none (xAPI 1.0.3 Communication 2.1.2).
  singleParameters(call.query, []);
  const { delivery, note } = await notedDelivery(call, authenticateAgain);
  await scanned(call, delivery);
  try {
    return json(200, await call.lrs.statements.receive(delivery));
  } finally {
    note();
  }
}

/** @throws MalwareError, UnavailableError where malware is looked for. */
function scanned({ lrs, principal }: XapiCall, { parts }: Delivery): Promise<void> | undefined {
  return lrs.scanner?.check(
    parts.map(({ sha2, content }) => ({ name: `attachment ${sha2}`, bytes: content })),
    nameOfPrincipal(principal),
  );
}

async function deliveryOf(call: XapiCall, authenticateAgain: Again): Promise<Delivery> {
  const { headers, body, principal, version, lrs } = call;
  const { json, parts } = await readStatementBody({ contentType: headers['content-type'], body });
  const { authority } = principal;
  const { attachments } = lrs;
  const client = new CallingClient(call);
  const uploaded =
    attachments && ((hashes: readonly string[]) => attachments.arrived(authority, hashes, client));
  const { lrs: limits } = lrs.config;
  return { json, parts, authority, version, limits, uploaded, client, authenticateAgain };
}

class CallingClient implements Client {
  readonly #call: XapiCall;

  constructor(call: XapiCall) {
    this.#call = call;
  }

  name(): string {
    return `${nameOfPrincipal(this.#call.principal)} ${networkOf(clientAddress(this.#call))}`;
  }

  hasGone(): boolean {
    return this.#call.responseMemory?.isAbandoned() ?? false;
  }
}

/** Tells the audit trail what an operator was shown. */
function noteShown(call: XapiCall, statements: number, attachments: number): void {
  call.isEmpty = statements === 0;
  call.counts = () => ({ statements, ...(attachments > 0 && { attachments }) });
}

interface NotedDelivery {
  readonly delivery: Delivery;
  /** Tells the audit trail what an operator has sent. */
  note(): void;
}

async function notedDelivery(call: XapiCall, authenticateAgain: Again): Promise<NotedDelivery> {
  const delivery = await deliveryOf(call, authenticateAgain);
  if (call.account === undefined) return { delivery, note: () => {} };
  const targets = new Set<string>();
  let count = 0;
  const onValid = (statement: Statement): void => {
    count += 1;
    const target = isVoiding(statement) ? targetOf(statement) : undefined;
    if (target !== undefined) targets.add(target);
  };
  return { delivery: { ...delivery, onValid }, note: () => noteSent(call, { count, targets }) };
}

interface Sent {
  readonly count: number;
  /** Ids of the statements that are voided. */
  readonly targets: ReadonlySet<string>;
}

/** A statement that voids another has an entry of its own; an upload is many requests, which share one. */
function noteSent(call: XapiCall, { count, targets }: Sent): void {
  const [target] = targets;
  call.counts = () => ({ statements: count, ...(targets.size > 0 && { voiding: targets.size }) });
  if (count === 1 && target !== undefined) {
    call.variant = 'void';
    call.subject = target;
  }
  call.merges = call.method === 'POST' && targets.size === 0;
}
