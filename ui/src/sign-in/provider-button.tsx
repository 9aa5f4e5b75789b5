import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { verify } from '../api/accounts.ts';
import type { Environment } from '../api/environment.ts';
import { session } from '../api/session.ts';
import { takeProviderAnswer } from '../session/provider-answer.ts';
import { useTexts } from '../texts/texts.tsx';
import { ProviderFailure } from './provider-failure.tsx';

type ProviderSettings = NonNullable<Environment['oidc']>;

/** Sends people to the OpenID provider, and lets them in when they come back. */
export function ProviderButton({ settings }: { readonly settings: ProviderSettings }) {
  const { login: texts } = useTexts();
  const { pathname, search } = useLocation();
  const arrival = useArrival(settings);
  const departure = useMutation({
    mutationFn: async () => {
      const { goToProvider } = await import('../session/provider.ts');
      await goToProvider(settings, { address: pathname + search, anew: arrival.error !== null });
    },
  });
  const error = departure.error ?? arrival.error;
  return (
    <Stack>
      {error !== null && <ProviderFailure error={error} />}
      <Button onClick={() => departure.mutate()} loading={departure.isPending || arrival.isPending}>
        {texts.atProvider}
      </Button>
    </Stack>
  );
}

/** A session comes of the provider's answer if the server takes the token; the screen is then where it was asked for. */
function useArrival(settings: ProviderSettings) {
  const navigate = useNavigate();
  const arrival = useMutation({
    mutationFn: async (answer: string) => {
      const { returnFromProvider } = await import('../session/provider.ts');
      const arrived = await returnFromProvider(settings, answer, (address) => {
        void navigate(address, { replace: true });
      });
      await verify(arrived.token);
      return arrived;
    },
    onSuccess: ({ token, canRenew }) => session.begin(token, { canRenew }),
  });
  const { mutate } = arrival;
  useEffect(() => {
    const answer = takeProviderAnswer();
    if (answer !== undefined) mutate(answer);
  }, [mutate]);
  return arrival;
}
