import { passwordHasher } from '../../lib/accounts/password-hasher.ts';

/**
 * Lets bcrypt hash the password once in this process, and compare it once with each hash: tests open many servers with the
 * same account, and log in to each.
 */
export function hashOnce(password: string): void {
  const hash = passwordHasher.hash.bind(passwordHasher);
  const matches = passwordHasher.matches.bind(passwordHasher);
  const known = new Map<string, boolean>();
  let hashed: string | undefined;
  passwordHasher.hash = async (text) => {
    if (text !== password) return hash(text);
    hashed ??= await hash(text);
    return hashed;
  };
  passwordHasher.matches = async (text, against) => {
    if (text !== password || against === undefined) return matches(text, against);
    const result = known.get(against) ?? (await matches(text, against));
    known.set(against, result);
    return result;
  };
}
