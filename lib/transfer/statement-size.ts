import type { StatementRecord } from './records.ts';

/** Bytes of a statement with the contents of its attachments. */
export function sizeOf({ json, parts }: Pick<StatementRecord, 'json' | 'parts'>): number {
  return parts.reduce((sum, { content }) => sum + content.length, json.length);
}
