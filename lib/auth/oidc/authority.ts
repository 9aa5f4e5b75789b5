import { InvalidError, UnauthenticatedError } from '../../errors.ts';
import { filledIn, namesIn, readTemplate } from '../../json-template.ts';
import { parseAuthority } from '../../xapi/authority.ts';
import type { Actor } from '../../xapi/types.ts';
import type { Claims } from './types.ts';

/**
 * The `authority` of statements that come with a token.
 * @throws UnauthenticatedError when the token lacks a claim that the template asks for, or the claims give no authority.
 */
export type AuthorityOfClaims = (claims: Claims) => Actor;

/** The name under which lrsql's templates know the client. */
const clientVariable = 'lrsql/resolved-client-id';

/** Application and user, as three-legged OAuth has it (xAPI 1.0.3 Data 2.4.9). */
const builtIn = `{"objectType": "Group", "member": [
  {"objectType": "Agent", "account": {"homePage": "{{iss}}", "name": "{{${clientVariable}}}"}},
  {"objectType": "Agent", "account": {"homePage": "{{iss}}", "name": "{{sub}}"}}
]}`;

/**
 * Reads the template of the authorities of OpenID tokens: the JSON of an Agent, or of a Group of application and user, in
 * which the variables are claims of the token. Without a file both have an account at the issuer.
 * @throws InvalidError when no claims at all make an authority of it.
 */
export async function readOidcAuthorityTemplate(file: string | null): Promise<AuthorityOfClaims> {
  const template = file === null ? builtIn : await readTemplate(file);
  try {
    checkTemplate(template);
  } catch (cause) {
    if (!(cause instanceof InvalidError)) throw cause;
    const rule = 'must give an Agent, or a Group of application and user';
    throw new InvalidError(`The authority template ${file} ${rule}. ${cause.message}`, { cause });
  }
  return (claims) => authorityOf(template, claims);
}

function authorityOf(template: string, claims: Claims): Actor {
  const text = filledIn(template, (name) => {
    const value = name === clientVariable ? clientOf(claims) : textOf(claims[name]);
    if (value !== undefined) return value;
    throw new UnauthenticatedError(
      `The token has no claim ${name}, which the authority of statements needs.`,
    );
  });
  try {
    return parseAuthority(text);
  } catch (cause) {
    if (!(cause instanceof InvalidError)) throw cause;
    throw new UnauthenticatedError(`The claims of the token give no authority: ${cause.message}`, { cause });
  }
}

/** Providers name the client in different claims; this is lrsql's order. */
function clientOf({ client_id: clientId, azp, aud }: Claims): string | undefined {
  return textOf(clientId) ?? textOf(azp) ?? textOf(Array.isArray(aud) ? aud[0] : aud);
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string' && value !== '') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

const sampleAddress = 'https://sample.example/';
const sampleMailbox = 'sample@sample.example';

/** What some claims look like. Others, which no standard knows, may be any of the kinds that an identifier is made of. */
const samples: Readonly<Record<string, string>> = {
  iss: sampleAddress,
  sub: 'sample',
  aud: 'sample',
  azp: 'sample',
  client_id: 'sample',
  [clientVariable]: 'sample',
  name: 'sample',
  preferred_username: 'sample',
  email: sampleMailbox,
};
const kinds = ['sample', sampleAddress, sampleMailbox, `mailto:${sampleMailbox}`, 'a'.repeat(40)];

const claimName = /^[^\s|{}"]+$/;
const maxOtherClaims = 5;

function checkTemplate(template: string): void {
  const names = namesIn(template);
  const odd = names.find((name) => !claimName.test(name));
  if (odd !== undefined)
    throw new InvalidError(`"${odd}" is not the name of a claim; filters are not supported.`);
  const others = names.filter((name) => samples[name] === undefined);
  if (others.length > maxOtherClaims)
    throw new InvalidError(`It has more than ${maxOtherClaims} claims of its own.`);
  const refusal = refusalOf(template, others, new Map(Object.entries(samples)));
  if (refusal !== undefined) throw refusal;
}

/** Why no choice of kinds for the other claims makes an authority; undefined when one does. */
function refusalOf(
  template: string,
  [name, ...others]: readonly string[],
  values: ReadonlyMap<string, string>,
): InvalidError | undefined {
  if (name === undefined) return refusalWith(template, values);
  let first: InvalidError | undefined;
  for (const kind of kinds) {
    const refusal = refusalOf(template, others, new Map([...values, [name, kind]]));
    if (refusal === undefined) return undefined;
    first ??= refusal;
  }
  return first;
}

function refusalWith(template: string, values: ReadonlyMap<string, string>): InvalidError | undefined {
  try {
    parseAuthority(filledIn(template, (name) => values.get(name) ?? ''));
    return undefined;
  } catch (error) {
    if (error instanceof InvalidError) return error;
    throw error;
  }
}
