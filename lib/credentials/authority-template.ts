import { InvalidError } from '../errors.ts';
import { filledIn, readTemplate } from '../json-template.ts';
import { parseAuthority } from '../xapi/authority.ts';
import type { Agent } from '../xapi/types.ts';

/** The Agent that statements written with a credential carry as `authority`. */
export type AuthorityOf = (credential: { readonly id: string; readonly accountId: string }) => Agent;

const builtIn =
  '{"objectType": "Agent", "account": {"homePage": "{{authority-url}}", "name": "{{cred-id}}"}}';
const sample = {
  id: '00000000-0000-4000-8000-000000000001',
  accountId: '00000000-0000-4000-8000-000000000002',
};

/**
 * Reads the template of authorities: the JSON of an Agent in which `{{authority-url}}`, `{{cred-id}}` and `{{account-id}}`
 * are replaced. Without a file the Agent has an account named like the credential.
 * @throws InvalidError when the template does not give an Agent.
 */
export async function readAuthorityTemplate(file: string | null, authorityUrl: string): Promise<AuthorityOf> {
  const template = file === null ? builtIn : await readTemplate(file);
  const authorityOf: AuthorityOf = ({ id, accountId }) => {
    const values = new Map([
      ['authority-url', authorityUrl],
      ['cred-id', id],
      ['account-id', accountId],
    ]);
    return agentOf(filledIn(template, (name) => known(name, values)));
  };
  try {
    authorityOf(sample);
  } catch (cause) {
    if (!(cause instanceof InvalidError)) throw cause;
    throw new InvalidError(`The authority template ${file} must give an Agent. ${cause.message}`, { cause });
  }
  return authorityOf;
}

function known(name: string, values: ReadonlyMap<string, string>): string {
  const value = values.get(name);
  if (value !== undefined) return value;
  throw new InvalidError(`It has no variable ${name}; there are ${[...values.keys()].join(', ')}.`);
}

/** Who comes with a key pair is one Agent (xAPI 1.0.3 Data 2.4.9). */
function agentOf(text: string): Agent {
  const authority = parseAuthority(text);
  if (authority.objectType !== 'Group') return authority;
  throw new InvalidError('A Group is for the application and the user of an OpenID token.');
}
