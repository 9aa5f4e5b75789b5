import { renew } from '../api/accounts.ts';
import type { Environment } from '../api/environment.ts';
import { session } from '../api/session.ts';
import { claimsOf } from '../api/token.ts';
import { storageKey } from '../observable/home.ts';

/**
 * Renews the session, unless another tab is doing so or has done it. Pages that are not secure have no locks; there a
 * second renewal does no harm.
 */
export async function renewSession(token: string, environment: Environment): Promise<void> {
  if (navigator.locks === undefined) return renewAlone(token, environment);
  await navigator.locks.request(storageKey('renewal'), { ifAvailable: true }, async (lock) => {
    if (lock !== null) await renewAlone(token, environment);
  });
}

async function renewAlone(token: string, { oidc }: Environment): Promise<void> {
  if (session.token() !== token) return;
  const { brokenRules } = session.facts();
  if (claimsOf(token).iss === undefined || oidc === undefined) {
    const next = await renew();
    if (session.token() === token) session.begin(next, { brokenRules });
    return;
  }
  const { renewAtProvider } = await import('./provider.ts');
  const next = await renewAtProvider(oidc);
  if (session.token() !== token) return;
  if (next === undefined) session.cannotRenew();
  else session.begin(next.token, next);
}
