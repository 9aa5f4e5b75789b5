import Joi from 'joi';
import { InvalidError } from '../errors.ts';
import { checked } from '../schema.ts';
import { identifierOf } from '../xapi/agent.ts';
import { parseAgentParameter } from '../xapi/agent-parameter.ts';
import { isIri } from '../xapi/iri.ts';

export interface ErasureBody {
  readonly 'actor-ifi': string;
  readonly 'dry-run': boolean;
}

/** Members that the route does not know are ignored, as in lrsql. */
export const erasureSchema = Joi.object<ErasureBody>({
  'actor-ifi': Joi.string().required(),
  'dry-run': Joi.boolean().strict().default(false),
})
  .label('The body')
  .required()
  .options({ stripUnknown: true });

const longestEcho = 100;

const forms =
  'actor-ifi must be one of mbox::mailto:<address>, mbox_sha1sum::<40 hexadecimal digits>, openid::<URI> and account::<name>@<homePage>';

/**
 * The request's body, and the actor's identifier as statements are known by. Whoever has only asked for a count, in other
 * words or in another place, must not get a deletion.
 * @throws InvalidError
 */
export function readErasureBody(
  body: unknown,
  query: URLSearchParams,
): ErasureBody & { readonly identifier: string } {
  const values = checked(erasureSchema, body);
  const members = Object.keys(body ?? {}).filter((name) => name !== 'dry-run');
  const mistaken = [...members, ...query.keys()].find(looksLikeDryRun)?.slice(0, longestEcho);
  if (mistaken !== undefined) {
    const message =
      mistaken === 'dry-run' ? 'must be a member of the body' : 'is not known; write dry-run, in the body';
    throw new InvalidError(`${mistaken} ${message}.`, { details: [{ path: mistaken, message }] });
  }
  return { ...values, identifier: readIdentifier(values['actor-ifi']) };
}

function looksLikeDryRun(name: string): boolean {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '') === 'dryrun';
}

function readIdentifier(text: string): string {
  const [, kind = '', value = ''] = /^(mbox|mbox_sha1sum|openid|account)::(.+)$/s.exec(text) ?? [];
  if (kind === '') throw new InvalidError(`${forms}.`);
  const agent = { [kind]: kind === 'account' ? accountOf(value) : value };
  try {
    const identifier = identifierOf(parseAgentParameter(JSON.stringify(agent), { allowGroup: false }));
    if (identifier !== undefined) return identifier;
  } catch (cause) {
    const reason = cause instanceof InvalidError ? cause.message.replaceAll('agent.', '') : '';
    throw new InvalidError(`${forms}: ${reason}`, { cause });
  }
  throw new InvalidError(`${forms}.`);
}

/** Names and home pages may both hold `@`: the home page begins behind the last one that leaves an IRI. */
function accountOf(text: string): { readonly name: string; readonly homePage: string } {
  for (let at = text.lastIndexOf('@'); at > 0; at = text.lastIndexOf('@', at - 1)) {
    const homePage = text.slice(at + 1);
    if (isIri(homePage)) return { name: text.slice(0, at), homePage };
  }
  throw new InvalidError(`${forms}.`);
}
