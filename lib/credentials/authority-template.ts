import { readFile } from 'node:fs/promises';
import { InvalidError } from '../errors.ts';
import { parseAgentParameter } from '../xapi/agent-parameter.ts';
import type { Agent } from '../xapi/types.ts';

/** The Agent that statements written with a credential carry as `authority`. */
export type AuthorityOf = (credential: { readonly id: string; readonly accountId: string }) => Agent;

const builtIn =
  '{"objectType": "Agent", "account": {"homePage": "{{authority-url}}", "name": "{{cred-id}}"}}';
const variable = /\{\{\s*(.*?)\s*\}\}/g;
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
  const template = file === null ? builtIn : await readFile(file, 'utf8');
  const authorityOf: AuthorityOf = ({ id, accountId }) => {
    const values = new Map([
      ['authority-url', authorityUrl],
      ['cred-id', id],
      ['account-id', accountId],
    ]);
    return parseAgentParameter(filledIn(template, values), { allowGroup: false });
  };
  try {
    authorityOf(sample);
  } catch (cause) {
    if (!(cause instanceof InvalidError)) throw cause;
    throw new InvalidError(`The authority template ${file} must give an Agent. ${cause.message}`, { cause });
  }
  return authorityOf;
}

function filledIn(template: string, values: ReadonlyMap<string, string>): string {
  return template.replace(variable, (_, name: string) => {
    const value = values.get(name);
    if (value === undefined) {
      throw new InvalidError(`It has no variable ${name}; there are ${[...values.keys()].join(', ')}.`);
    }
    // The template has the quotes around the variable.
    return JSON.stringify(value).slice(1, -1);
  });
}
