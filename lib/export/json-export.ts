import { type ExportText, openLayout } from '../csv/export.ts';
import { byTurns, rest } from '../csv/half-time.ts';
import type { Database } from '../db/types.ts';
import type { StatementService } from '../statements/types.ts';
import type { StatusService } from '../status/types.ts';
import { jsonArray, jsonLines } from './layouts.ts';
import { type ExportOptions, exportText } from './lines.ts';
import type { JsonExportSelection } from './parameters.ts';

/** What an export reads. */
export interface ExportSources extends Pick<ExportOptions, 'contents' | 'credentials' | 'reactions'> {
  readonly statements: StatementService;
  readonly status: StatusService;
}

/**
 * Begins an export of a server, which has other work to do meanwhile.
 * @param languages those wanted in `format=canonical`, best first.
 */
export async function openJsonExport(
  db: Database,
  { statements, contents, credentials, reactions }: ExportSources,
  selection: JsonExportSelection,
  languages: readonly string[],
): Promise<ExportText> {
  if (selection.contents === 'everything') return everything({ db, contents, credentials, reactions });
  const layout = selection.type === 'json' ? jsonArray : jsonLines;
  return openLayout(statements, selection.statements, layout, languages);
}

/** Characters after which a piece is passed on. */
const longestPiece = 256 * 1024;

function everything(
  options: Pick<ExportOptions, 'db' | 'contents' | 'credentials' | 'reactions'>,
): ExportText {
  let rows = 0;
  const onProgress = (done: number): void => {
    rows = done;
  };
  const text = exportText({ ...options, secrets: false, plain: false, now: Date.now, onProgress });
  return { lines: inPieces(text), rows: () => rows };
}

async function* inPieces(text: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    for (;;) {
      const piece = await byTurns(() => nextPiece(text));
      if (piece === '') return;
      yield piece;
      await rest();
    }
  } finally {
    await text.return(undefined);
  }
}

/** Empty at the end. */
async function nextPiece(text: AsyncGenerator<string>): Promise<string> {
  let piece = '';
  while (piece.length < longestPiece) {
    const { value, done } = await text.next();
    if (done) break;
    piece += value;
  }
  return piece;
}
