import { Pauses } from '../../in-turns.ts';
import { printJson } from '../../json/json.ts';
import { parseStored } from '../../xapi/statement/stored-statement.ts';
import type { Statement } from '../../xapi/types.ts';
import type { StoredStatement } from '../types.ts';

/**
 * Statements with other contents. To parse one of megabytes takes tens of milliseconds, and so does printing it, so other work
 * may run in between.
 * @param isToChange whether a text, given as it is stored, is one to change; others stay as they are.
 */
export async function changedTexts(
  statements: readonly StoredStatement[],
  change: (statement: Statement) => Statement,
  isToChange: (text: string) => boolean = () => true,
): Promise<readonly StoredStatement[]> {
  const pauses = new Pauses();
  const changed: StoredStatement[] = [];
  for (const statement of statements) {
    const { position, text } = statement;
    if (isToChange(text)) {
      const { source } = parseStored(text);
      await pauses.pause();
      changed.push({ position, text: printJson(change(source)) });
    } else {
      changed.push(statement);
    }
    await pauses.pause();
  }
  return changed;
}
