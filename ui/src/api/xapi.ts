import { basicAuthorization } from './basic-authorization.ts';
import { type CallOptions, send } from './client.ts';
import { type UsableCredential, useCredentials } from './credentials.ts';
import { type Environment, useEnvironment } from './environment.ts';

/** What a call of the xAPI needs. */
export interface XapiAccess {
  /** The path of the xAPI, such as `/xapi`. */
  readonly prefix: string;
  readonly version: string;
  readonly credential: UsableCredential;
}

/** Calls the xAPI; `path` is what follows its prefix, such as `statements`. */
export function sendXapi(
  { prefix, version, credential }: XapiAccess,
  path: string,
  options: CallOptions = {},
): Promise<Response> {
  const own = {
    'X-Experience-API-Version': version,
    Authorization: basicAuthorization(credential['api-key'], credential['secret-key']),
  };
  return send(`${prefix}/${path}`, { ...options, headers: { ...own, ...options.headers } });
}

/** The way to the xAPI with the chosen key pair; undefined while there is none. */
export function useXapi(): XapiAccess | undefined {
  const environment = useEnvironment();
  const { chosen } = useCredentials();
  if (chosen === undefined) return undefined;
  return { prefix: environment['url-prefix'], version: newestVersion(environment), credential: chosen };
}

/** The newest version of the xAPI that the server speaks. */
export function newestVersion(environment: Environment): string {
  return environment['supported-versions'].toSorted().at(-1) ?? '1.0.3';
}
