import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { environmentQuery } from './api/environment.ts';
import { Waiting } from './components/waiting.tsx';
import { useToken } from './session/use-session.ts';
import { StartFailure } from './start-failure.tsx';
import { TextsProvider } from './texts/texts.tsx';

const SignIn = lazy(async () => ({ default: (await import('./sign-in/sign-in.tsx')).SignIn }));
const Frame = lazy(async () => ({ default: (await import('./frame/frame.tsx')).Frame }));

/** What an operator sees first: the settings are asked for, then he signs in, then he is inside. */
export function Gate() {
  const { error, refetch, isPending } = useQuery(environmentQuery);
  if (isPending) return <Waiting fullPage />;
  if (error !== null) return <StartFailure error={error} onRetry={() => void refetch()} />;
  return (
    <Suspense fallback={<Waiting fullPage />}>
      <TextsProvider>
        <Inside />
      </TextsProvider>
    </Suspense>
  );
}

function Inside() {
  return useToken() === undefined ? <SignIn /> : <Frame />;
}
