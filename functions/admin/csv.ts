import { openExport } from '../../lib/csv/export.ts';
import { asksForPreview } from '../../lib/csv/preview.ts';
import type { AdminCall, DownloadCall } from '../../lib/http/call.ts';
import { adminViewHandler, downloadHandler, type Handler, type Open } from '../../lib/http/handler.ts';
import { noteQuery } from '../../lib/http/operator-notes.ts';
import { json } from '../../lib/http/responses.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { wholeBody } from '../../lib/http/whole-body.ts';
import { languageRanges } from '../../lib/xapi/language.ts';

/** The export of statements as CSV, and the token that lets a link download it. */
export function csvHandlers(open: Open): Record<'authoriseCsv' | 'getCsv', Handler> {
  return {
    authoriseCsv: adminViewHandler(open, authoriseCsv),
    getCsv: downloadHandler(open, getCsv, {
      reserve: reserveExport,
      note: noteExport,
      begins: ({ query }) => !asksForPreview(query),
    }),
  };
}

async function authoriseCsv(call: AdminCall): Promise<HttpResponse> {
  const token = await call.lrs.oneTimeTokens.issue(call);
  return json(200, { 'account-id': call.account.id, 'json-web-token': token });
}

const headers = { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': 'attachment' };

const tooLarge = (limit: number): string =>
  `The answer is larger than the ${limit} bytes that this gateway carries. Narrow the export with since, until, limit or the other statement filters, name fewer property-paths, or download it from the Node server or the URL of the function streaming.`;

const tooLargePreview = (limit: number): string =>
  `The preview is larger than ${limit} bytes (lrs.stmtGetMaxBytes). Set a lower limit or name fewer property-paths, or download the export.`;

/** The token is used up last of all: an export that can't be answered leaves it good. A preview is short, so it is sent whole. */
async function getCsv(call: DownloadCall): Promise<HttpResponse> {
  const { lrs, query, answerLimit } = call;
  const acceptLanguage = call.headers['accept-language'];
  const { stmtGetMaxCsv: maxRows, stmtGetMaxBytes: pageBytes } = lrs.config.lrs;
  // Loaded with the first export, as elsewhere.
  const { readExportParameters } = await import('../../lib/csv/parameters.ts');
  const selection = readExportParameters(query, { maxRows, acceptLanguage });
  const canonical = selection.statements.format === 'canonical';
  const languages = canonical ? (selection.languages ?? languageRanges(acceptLanguage)) : [];
  const { lines, rows } = await openExport(lrs.statements, selection, languages);
  call.counts = () => ({ rows: rows() });
  if (answerLimit === Number.POSITIVE_INFINITY && !asksForPreview(query)) {
    await call.redeem();
    return { statusCode: 200, headers, stream: lines };
  }
  const body =
    pageBytes < answerLimit && asksForPreview(query)
      ? await wholeBody(lines, pageBytes, tooLargePreview(pageBytes))
      : await wholeBody(lines, answerLimit, tooLarge(answerLimit));
  await call.redeem();
  return { statusCode: 200, headers, body };
}

/** A page of statements stays in memory while the client takes the lines that are made of it. */
function reserveExport({ lrs, query, responseMemory }: DownloadCall): void {
  const { stmtGetMaxBytes: pageBytes } = lrs.config.lrs;
  if (asksForPreview(query)) responseMemory?.reserve(pageBytes);
  else responseMemory?.reserveExport(pageBytes);
}

function noteExport(call: DownloadCall): void {
  noteQuery(call);
  if (!asksForPreview(call.query)) return;
  call.variant = 'preview';
  call.merges = true;
}
