import type { OpenCall, Step } from '../call.ts';
import { consistentThroughAtStatements } from './consistent-through.ts';
import { versionHeaderUnderPrefix } from './version-header.ts';

/** What answers of the xAPI say of themselves, for a handler that answers on any path. */
export function headersUnderPrefix(): Step<OpenCall> {
  const { after: addVersion } = versionHeaderUnderPrefix();
  const { after: addMoment } = consistentThroughAtStatements();
  const headersUnderPrefixAfter: NonNullable<Step<OpenCall>['after']> = async (request) => {
    await addVersion?.(request);
    await addMoment?.(request);
  };
  return { after: headersUnderPrefixAfter, onError: headersUnderPrefixAfter };
}
