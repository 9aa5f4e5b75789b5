import type Joi from 'joi';
import { mayHoldSecret } from '../lib/secret-address.ts';
import { type Key, keys } from './schema/keys.ts';
import type { Given } from './sources.ts';

type AllGiven = ReadonlyMap<string, Given>;

const shownLength = 60;

/** One sentence per mistake that the schema found: the key, where it was set, what is expected. Never a secret. */
export function problemsOf(error: Joi.ValidationError, given: AllGiven): string[] {
  const sentences = new Map<string, string>();
  for (const detail of error.details) {
    const name = String(detail.path[1]);
    const key = keys.get(name);
    const set = given.get(name);
    const sentence = key && set ? mistake(key, set) : misfit(detail, given);
    // The first rule that a value breaks says enough.
    const place = key ? name : sentence;
    if (!sentences.has(place)) sentences.set(place, sentence);
  }
  return [...sentences.values()];
}

function mistake(key: Key, { value, origin }: Given): string {
  const place = `${key.group}.${key.name} (from ${origin})`;
  const shown = JSON.stringify(value);
  const isHidden = key.meta.secret === true || mayHoldSecret(shown);
  const instead = isHidden ? '' : `, not ${shown.slice(0, shownLength)}`;
  return `${place} must be ${key.kind}${instead}.`;
}

/** Keys that are fine one by one but not together. */
function misfit({ type, context }: Joi.ValidationErrorItem, given: AllGiven): string {
  if (type === 'ports.same') {
    return `webserver.httpPort (from ${origin('httpPort', given)}) and webserver.sslPort (from ${origin('sslPort', given)}) must differ.`;
  }
  if (type === 'vouchers.both') {
    return `webserver.jwtNoVal (from ${origin('jwtNoVal', given)}) and webserver.oidcIssuer (from ${origin('oidcIssuer', given)}) exclude each other: both would say who administers.`;
  }
  if (type === 'reactionVersion.unsupported') {
    return `lrs.reactionVersion (from ${origin('reactionVersion', given)}) is ${context?.version}, which lrs.supportedVersions (from ${origin('supportedVersions', given)}) does not list.`;
  }
  const present: readonly string[] = context?.present ?? [];
  const missing: readonly string[] = context?.missing ?? [];
  const set = present.map((name) => `${qualified(name)} (from ${origin(name, given)})`);
  return `${set.join(', ')} is set without ${missing.map(qualified).join(', ')}; they go together.`;
}

const origin = (name: string, given: AllGiven): string => given.get(name)?.origin ?? 'the default';

const qualified = (name: string): string => `${keys.get(name)?.group}.${name}`;
