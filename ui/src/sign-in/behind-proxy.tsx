import { Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { verify } from '../api/accounts.ts';
import { useEnvironment } from '../api/environment.ts';
import { ApiError } from '../api/errors.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Waiting } from '../components/waiting.tsx';
import { useTexts } from '../texts/texts.tsx';
import { EntryPage } from './entry-page.tsx';

const verifyQuery = { queryKey: ['verify'], queryFn: () => verify() };

/** Where a proxy puts the token on every request: nobody signs in here, but the server may not admit him. */
export function BehindProxy({ children }: { readonly children: ReactNode }) {
  const { login: texts } = useTexts();
  const { 'no-val-logout-url': leaveAt } = useEnvironment();
  const { isPending, error } = useQuery({ ...verifyQuery, refetchOnWindowFocus: 'always' });
  useLookAfterRefusal();
  if (isPending) return <Waiting fullPage />;
  if (!isRefusal(error)) return children;
  return (
    <EntryPage title={texts.title}>
      <Text>{texts.byProxy}</Text>
      <ErrorNotice error={error} />
      <Group>
        {/* Loaded anew, the page lets the proxy ask for a sign-in. */}
        <Button onClick={() => window.location.reload()}>{texts.lookAgain}</Button>
        {leaveAt !== undefined && (
          <Button component="a" href={leaveAt} variant="default">
            {texts.leaveProxy}
          </Button>
        )}
      </Group>
    </EntryPage>
  );
}

/** A call that is refused is the first sign that the proxy's session has ended. */
function useLookAfterRefusal(): void {
  const queries = useQueryClient();
  useEffect(
    () =>
      queries.getQueryCache().subscribe(({ type, query }) => {
        const isOwn = query.queryKey[0] === verifyQuery.queryKey[0];
        if (type === 'updated' && !isOwn && isRefusal(query.state.error) && query.state.status === 'error') {
          void queries.invalidateQueries(verifyQuery, { cancelRefetch: false });
        }
      }),
    [queries],
  );
}

/** That the server is away is no reason to keep anybody out. */
function isRefusal(error: Error | null): error is ApiError {
  return error instanceof ApiError && (error.status === 401 || error.status === 403);
}
