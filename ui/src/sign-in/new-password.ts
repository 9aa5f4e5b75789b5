const kinds = ['abcdefghjkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '_-+='] as const;
const length = 20;

/** A password by chance, with something of each kind that the rules ask for; no shell takes a sign of it for its own. */
export function newPassword(): string {
  const all = kinds.join('');
  const rest = Array.from({ length: length - kinds.length }, () => signOf(all));
  return [...kinds.map(signOf), ...rest].join('');
}

function signOf(signs: string): string {
  const [chance = 0] = crypto.getRandomValues(new Uint32Array(1));
  return signs[chance % signs.length] ?? '';
}
