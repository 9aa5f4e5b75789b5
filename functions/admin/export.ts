import { asksForPreview } from '../../lib/csv/preview.ts';
import { NotFoundError } from '../../lib/errors.ts';
import type { AdminCall, DownloadCall } from '../../lib/http/call.ts';
import { adminViewHandler, downloadHandler, type Handler, type Open } from '../../lib/http/handler.ts';
import { noteQuery } from '../../lib/http/operator-notes.ts';
import { json } from '../../lib/http/responses.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { wholeBody } from '../../lib/http/whole-body.ts';
import type { Lrs } from '../../lib/lrs.ts';
import { longestStoreName } from '../../lib/stores/address.ts';
import { languageRanges } from '../../lib/xapi/language.ts';

/** The export of statements, or of everything, as JSON, and how large the one of statements is going to be. */
export function exportHandlers(open: Open): Record<'getExport' | 'getExportSize', Handler> {
  return {
    getExport: downloadHandler(open, getExport, {
      reserve: reserveExport,
      note: noteExport,
      begins: ({ query }) => !asksForPreview(query),
    }),
    getExportSize: adminViewHandler(open, getExportSize),
  };
}

const contentTypes = { ndjson: 'application/x-ndjson', json: 'application/json', gzip: 'application/gzip' };

const narrower = {
  statements: 'Narrow the export with since, until, limit or the other statement filters, or download it',
  everything: 'Download it',
};

const tooLarge = (limit: number, contents: keyof typeof narrower): string =>
  `The answer is larger than the ${limit} bytes that this gateway carries. ${narrower[contents]} from the Node server or the URL of the function streaming.`;

/** The token is used up last of all: an export that can't be answered leaves it good. A preview is short, so it is sent whole. */
async function getExport(call: DownloadCall): Promise<HttpResponse> {
  const { lrs, query, answerLimit } = call;
  const { stmtGetMaxCsv: maxRows, stmtGetMaxBytes: pageBytes } = lrs.config.lrs;
  // Loaded with the first export, as elsewhere.
  const { readJsonExportParameters } = await import('../../lib/export/parameters.ts');
  const { gzipped } = await import('../../lib/export/gzip.ts');
  const selection = readJsonExportParameters(query, maxRows);
  const store = selection.contents === 'everything' ? selection.store : undefined;
  const { exports } = store === undefined ? lrs : await enterStore(call, store);
  const { lines, rows } = await exports.open(selection, languageRanges(call.headers['accept-language']));
  call.counts = () => ({ rows: rows() });
  const pieces = selection.gzip ? gzipped(lines) : lines;
  const type = selection.contents === 'everything' ? 'ndjson' : selection.type;
  const headers = {
    'Content-Type': contentTypes[selection.gzip ? 'gzip' : type],
    'Content-Disposition': 'attachment',
  };
  if (answerLimit === Number.POSITIVE_INFINITY && !asksForPreview(query)) {
    await call.redeem();
    return { statusCode: 200, headers, stream: pieces };
  }
  const limit = asksForPreview(query) ? Math.min(pageBytes, answerLimit) : answerLimit;
  const body = await wholeBody<string | Uint8Array>(pieces, limit, tooLarge(limit, selection.contents));
  await call.redeem();
  return { statusCode: 200, headers, body };
}

/** Opens another store for an operator of the default one; it is left when the call has been answered. */
async function enterStore(call: DownloadCall, name: string): Promise<Lrs> {
  const { stores } = call.lrs;
  if (stores === undefined) {
    throw new NotFoundError('There are no other stores here: leave the parameter store out.');
  }
  const use = await stores.enter(name);
  call.use = use;
  return use.opened;
}

/** A page of statements stays in memory while the client takes the lines that are made of it. */
function reserveExport({ lrs, query, responseMemory }: DownloadCall): void {
  const { stmtGetMaxBytes: pageBytes } = lrs.config.lrs;
  if (asksForPreview(query)) responseMemory?.reserve(pageBytes);
  else responseMemory?.reserveExport(pageBytes);
}

function noteExport(call: DownloadCall): void {
  noteQuery(call);
  const store = call.query.get('store');
  if (call.query.get('contents') === 'everything') call.variant = store === null ? 'everything' : 'store';
  if (store !== null) call.subject = store.slice(0, longestStoreName);
  if (!asksForPreview(call.query)) return;
  call.variant = 'preview';
  call.merges = true;
}

async function getExportSize({ lrs, query }: AdminCall): Promise<HttpResponse> {
  const { selectedStatements } = await import('../../lib/csv/parameters.ts');
  const selection = selectedStatements(query, [], lrs.config.lrs.stmtGetMaxCsv);
  return json(200, { ...(await lrs.exports.expectedSize(selection)) });
}
