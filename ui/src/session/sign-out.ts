import { useMutation } from '@tanstack/react-query';
import { logout } from '../api/accounts.ts';
import { type Environment, useEnvironment } from '../api/environment.ts';
import { session } from '../api/session.ts';
import { claimsOf } from '../api/token.ts';
import { leavePage } from './unsaved.ts';

/** Signs out everywhere, after a question where something is not saved; undefined behind a proxy that signs people in and does not say how they leave. */
export function useSignOut(): (() => void) | undefined {
  const environment = useEnvironment();
  const leaving = useMutation({ mutationFn: () => leave(environment) });
  const isPossible = environment['no-val?'] !== true || environment['no-val-logout-url'] !== undefined;
  return isPossible ? () => leavePage(() => leaving.mutate()) : undefined;
}

/** Whatever is answered, this browser forgets the token. */
async function leave({
  oidc,
  'no-val?': isBehindProxy,
  'no-val-logout-url': url,
}: Environment): Promise<void> {
  if (isBehindProxy) return url === undefined ? undefined : window.location.assign(url);
  const token = session.token();
  try {
    if (token === undefined || claimsOf(token).iss === undefined) await logout();
    else if (oidc !== undefined) await (await import('./provider.ts')).leaveProvider(oidc);
  } finally {
    session.end('signed-out');
  }
}
