import type { PropertyPath } from '../../../../lib/csv/property-paths.ts';
import type { Query } from '../../api/address.ts';
import type { Filters } from '../statements/filters.ts';
import { RowCounter } from './csv-text.ts';
import { exportQuery } from './queries.ts';

/** What a file holds. `everything` has more than statements. */
export const fileKinds = ['csv', 'ndjson', 'json', 'everything'] as const;
export type FileKind = (typeof fileKinds)[number];

/** How an operator wants the file. */
export interface FileChoice {
  readonly kind: FileKind;
  readonly isCompressed: boolean;
  readonly columns: readonly PropertyPath[];
  readonly hasMaps: boolean;
  readonly languages: readonly string[];
}

/** A file that can be downloaded. */
export interface ExportFile {
  /** Below `/admin`. */
  readonly path: string;
  readonly query: Query;
  readonly name: string;
  readonly type: string;
  /** Counts its rows while it comes; undefined where they can't be told. */
  readonly counter: RowCounter | undefined;
}

const types = { csv: 'text/csv', ndjson: 'application/x-ndjson', json: 'application/json' };

/** The file that the choice stands for. */
export function fileOf(filters: Filters, choice: FileChoice, now: Date): ExportFile {
  const { kind, isCompressed } = choice;
  const day = now.toISOString().slice(0, 10);
  if (kind === 'csv') {
    return {
      ...{ path: 'csv', query: exportQuery(filters, choice), name: `statements-${day}.csv`, type: types.csv },
      counter: new RowCounter(),
    };
  }
  const packed = isCompressed ? { gzip: true } : {};
  const end = isCompressed ? '.gz' : '';
  const type = (plain: string): string => (isCompressed ? 'application/gzip' : plain);
  if (kind === 'everything') {
    return {
      ...{ path: 'export', query: { contents: 'everything', ...packed }, name: `lrs-${day}.ndjson${end}` },
      ...{ type: type(types.ndjson), counter: undefined },
    };
  }
  return {
    ...{ path: 'export', query: { ...filters, type: kind, ...packed } },
    ...{ name: `statements-${day}.${kind}${end}`, type: type(types[kind]) },
    counter: isCompressed ? undefined : new RowCounter(kind),
  };
}
