import { basicAuthorization } from './basic-authorization.ts';
import { type CallOptions, send } from './client.ts';
import { type UsableCredential, useCredentials } from './credentials.ts';
import { type Environment, useEnvironment } from './environment.ts';
import { ApiError } from './errors.ts';
import { session } from './session.ts';

/** What a call of the xAPI needs. */
export interface XapiAccess {
  /** The path of the xAPI, such as `/xapi`. */
  readonly prefix: string;
  readonly version: string;
  readonly credential: UsableCredential;
  /** Whether a proxy knows who is signed in, and not this page. */
  readonly isBehindProxy: boolean;
}

/** Tells the server who uses the key pair, for the audit trail. */
const operatorHeader = 'X-LRS-Operator';

/**
 * Calls the xAPI; `path` is what follows its prefix, such as `statements`. While nobody is signed in the server refuses the
 * call, so that nothing is done that the audit trail would lack.
 */
export async function sendXapi(
  { prefix, version, credential, isBehindProxy }: XapiAccess,
  path: string,
  options: CallOptions = {},
): Promise<Response> {
  const token = session.token();
  const own = {
    'X-Experience-API-Version': version,
    Authorization: basicAuthorization(credential['api-key'], credential['secret-key']),
    ...(!isBehindProxy && { [operatorHeader]: `Bearer ${token ?? ''}` }),
  };
  try {
    return await send(`${prefix}/${path}`, { ...options, headers: { ...own, ...options.headers } });
  } catch (error) {
    if (refusesOperator(error)) session.noticeRefusal(error, token);
    throw error;
  }
}

/** A refusal of the key pair, on the other hand, does not concern the session. */
function refusesOperator(error: unknown): boolean {
  return error instanceof ApiError && error.details.some(({ path }) => path === operatorHeader);
}

/** The way to the xAPI with the chosen key pair; undefined while there is none. */
export function useXapi(): XapiAccess | undefined {
  const environment = useEnvironment();
  const { chosen } = useCredentials();
  if (chosen === undefined) return undefined;
  return {
    prefix: environment['url-prefix'],
    version: newestVersion(environment),
    credential: chosen,
    isBehindProxy: environment['no-val?'] === true,
  };
}

/** The newest version of the xAPI that the server speaks. */
export function newestVersion(environment: Environment): string {
  return environment['supported-versions'].toSorted().at(-1) ?? '1.0.3';
}
