import type { SecretReader } from '../lib/aws/secret-reader.ts';
import { claimsReference, parseReference } from '../lib/aws/secret-reference.ts';
import { keys } from './schema/keys.ts';
import type { Collected, Given } from './sources.ts';

/** The secret settings that name a secret of AWS instead of being one, with the text that is there. */
function referencesIn({ given }: Collected): { name: string; place: string; set: Given; text: string }[] {
  return [...given].flatMap(([name, set]) => {
    const key = keys.get(name);
    const { value, origin } = set;
    if (key?.meta.secret !== true || typeof value !== 'string' || !claimsReference(value)) return [];
    return [{ name, place: `${key.group}.${name} (from ${origin})`, set, text: value }];
  });
}

/** Puts the secrets in the place of their references. What can't be read becomes a problem. */
export async function resolveSecrets(collected: Collected, read: SecretReader): Promise<void> {
  await Promise.all(
    referencesIn(collected).map(async ({ name, place, set, text }) => {
      const reference = parseReference(text);
      if (reference === undefined) {
        collected.problems.push(
          `${place} must be a secret, or name one: arn:aws:secretsmanager:REGION:ACCOUNT:secret:NAME, followed by :MEMBER if it is JSON, or arn:aws:ssm:REGION:ACCOUNT:parameter/NAME.`,
        );
        return;
      }
      try {
        collected.given.set(name, { ...set, value: await read(reference) });
      } catch (error) {
        const reason = error instanceof Error ? error.message : 'it could not be read';
        collected.problems.push(`${place} names a secret of AWS that could not be read: ${reason}.`);
      }
    }),
  );
}
