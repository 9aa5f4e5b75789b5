import { printJson } from '../xapi/json.ts';
import { toCanonical, toIds } from '../xapi/statement/format.ts';
import { parseStored } from './stored-statement.ts';
import type { Presentation } from './types.ts';

/** A stored text in the asked format (xAPI 1.0.3 Communication 2.1.3); the exact format is the stored text, never parsed. */
export function formatText(text: string, { format, languages }: Presentation): string {
  switch (format) {
    case 'exact':
      return text;
    case 'ids':
      return printJson(toIds(parseStored(text).source));
    case 'canonical':
      return printJson(toCanonical(parseStored(text).source, languages));
  }
}
