import type { XapiVersion } from '../xapi/types.ts';

/** The rules that a statement was written by, as its `version` says; without one, those of 1.0.3. */
export function versionOf(json: Buffer): XapiVersion {
  if (!json.includes(mark)) return '1.0.3';
  try {
    const { version }: { readonly version?: unknown } = JSON.parse(json.toString('utf8'));
    return typeof version === 'string' && version.startsWith('2.') ? '2.0.0' : '1.0.3';
  } catch {
    // Reading it will say what is wrong.
    return '1.0.3';
  }
}

/** No other statement has one of 2.0; those that hold this in another place are parsed in vain. */
const mark = Buffer.from('"2.');
