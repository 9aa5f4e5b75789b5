import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const file = 'fun-mooc-video-statements.ndjson.gz';

/** Where the statements may lie: the folder that LRS_TEST_DATA names, else `shared/data` beside the project. */
const path = join(process.env.LRS_TEST_DATA ?? join(import.meta.dirname, '../../../shared/data'), file);

export interface RealStatement {
  readonly id: string;
  readonly actor: { readonly account: { readonly name: string; readonly homePage: string } };
  readonly verb: { readonly id: string };
  readonly object: { readonly id: string };
  readonly context: {
    readonly contextActivities: Readonly<Record<string, readonly { readonly id: string }[]>>;
  };
}

export const realStatementsAreThere = existsSync(path);

/** 10,000 statements of a platform for online courses, from the data folder of openfun/ralph (MIT licence). */
export function realStatements(): RealStatement[] {
  const lines = gunzipSync(readFileSync(path)).toString('utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}
