import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { useEnvironment } from '../api/environment.ts';
import { SessionKeeper } from './keeper.ts';
import { renewSession } from './renewal.ts';
import { SessionEnding } from './session-ending.tsx';

/** Keeps the session of this token alive around what it shows. */
export function SignedIn({ token, children }: { readonly token: string; readonly children: ReactNode }) {
  const environment = useEnvironment();
  const [warnedOf, setWarnedOf] = useState<string>();
  useEffect(() => {
    const keeper = new SessionKeeper({ token, environment, warn: () => setWarnedOf(token) });
    return keeper.start();
  }, [token, environment]);
  const renewNow = useCallback(() => renewSession(token, environment), [token, environment]);
  return (
    <>
      {children}
      {warnedOf === token && <SessionEnding token={token} renew={renewNow} />}
    </>
  );
}
