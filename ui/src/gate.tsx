import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { environmentQuery, useEnvironment } from './api/environment.ts';
import { loadPart } from './api/parts.ts';
import { session } from './api/session.ts';
import { holderOf } from './api/token.ts';
import { Boundary } from './components/boundary.tsx';
import { Waiting } from './components/waiting.tsx';
import { useToken } from './session/use-session.ts';
import { StartFailure } from './start-failure.tsx';
import { loadTexts, TextsProvider } from './texts/texts.tsx';

const loadWelcome = () => import('./sign-in/welcome.tsx');
const Welcome = lazy(async () => ({ default: (await loadPart(loadWelcome)).Welcome }));
const loadBehindProxy = () => import('./sign-in/behind-proxy.tsx');
const BehindProxy = lazy(async () => ({ default: (await loadPart(loadBehindProxy)).BehindProxy }));
const loadSignedIn = () => import('./session/signed-in.tsx');
const SignedIn = lazy(async () => ({ default: (await loadPart(loadSignedIn)).SignedIn }));
const loadFrame = () => import('./frame/frame.tsx');
const Frame = lazy(async () => ({ default: (await loadPart(loadFrame)).Frame }));

/**
 * Asks at once for what the page of somebody who is signed in will need one after another; where something can't be had, that
 * shows when it is needed.
 */
export function loadAhead(): void {
  if (session.token() === undefined) return;
  for (const load of [loadSignedIn, loadFrame, loadTexts]) load().catch(() => {});
}

/** What an operator sees first: the settings are asked for, then he signs in, then he is inside. */
export function Gate() {
  const { error, refetch, isPending } = useQuery(environmentQuery);
  if (isPending) return <Waiting fullPage />;
  if (error !== null) return <StartFailure error={error} onRetry={() => void refetch()} />;
  return (
    <Boundary fallback={(failure) => <StartFailure error={failure} onRetry={() => location.reload()} />}>
      <Suspense fallback={<Waiting fullPage />}>
        <TextsProvider>
          <Inside />
        </TextsProvider>
      </Suspense>
    </Boundary>
  );
}

function Inside() {
  const token = useToken();
  if (useEnvironment()['no-val?']) {
    return (
      <BehindProxy>
        <Frame />
      </BehindProxy>
    );
  }
  if (token === undefined) return <Welcome />;
  return (
    <SignedIn key={holderOf(token)} token={token}>
      <Frame />
    </SignedIn>
  );
}
