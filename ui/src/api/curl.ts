import { addressOf } from './address.ts';
import type { UsableCredential } from './credentials.ts';
import type { Environment } from './environment.ts';
import { newestVersion } from './xapi.ts';

/** What a command that calls the xAPI needs. */
export interface CurlCall {
  /** The address of the xAPI, without a slash at its end. */
  readonly endpoint: string;
  readonly version: string;
  readonly apiKey: string;
  readonly secret: string;
}

/** Stands for a secret while it is hidden; it tells nothing of its length. */
export const hiddenSecret = '••••••••••••';

/** Calls of this server with the key pair. */
export function curlCallOf(environment: Environment, credential: UsableCredential): CurlCall {
  return {
    endpoint: addressOf(environment['url-prefix']),
    version: newestVersion(environment),
    apiKey: credential['api-key'],
    secret: credential['secret-key'],
  };
}

/** The statement that examples send. */
export const exampleStatement = {
  actor: { name: 'Ada Example', mbox: 'mailto:ada@example.org' },
  verb: { id: 'http://adlnet.gov/expapi/verbs/experienced', display: { en: 'experienced' } },
  object: { id: 'https://example.org/activities/first-steps' },
};

/** The command that stores a statement. */
export function curlThatSends(call: CurlCall): string {
  return commandOf(call, [
    `--header 'Content-Type: application/json'`,
    `--data ${quoted(JSON.stringify(exampleStatement))}`,
    quoted(`${call.endpoint}/statements`),
  ]);
}

/** The command that reads the newest statements. */
export function curlThatReads(call: CurlCall): string {
  return commandOf(call, [quoted(`${call.endpoint}/statements?limit=5`)]);
}

function commandOf({ version, apiKey, secret }: CurlCall, rest: readonly string[]): string {
  const common = [
    `curl --user ${quoted(`${apiKey}:${secret}`)}`,
    `--header 'X-Experience-API-Version: ${version}'`,
  ];
  return [...common, ...rest].join(' \\\n  ');
}

/** One word of a POSIX shell, whatever it contains. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
