import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createHashRouter, RouterProvider } from 'react-router';
import { connection } from './api/connection.ts';
import { ApiError } from './api/errors.ts';
import { session } from './api/session.ts';
import { Gate } from './gate.tsx';
import { numberHistory } from './numbered-history.ts';
import { forgetDraftOfOthers } from './session/kept-draft.ts';
import { styleNonce } from './style-nonce.ts';
import { readableColours, theme } from './theme.ts';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // What the server refuses it refuses again, and whether it is there at all `connection` looks after.
      retry: (failures, error) => failures < 2 && error instanceof ApiError && error.status >= 500,
      staleTime: 5_000,
      // Without a network a request fails at once and says so; it does not wait in silence.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

/** What holds for whoever is signed in. */
const lasting = ['environment', 'texts', 'part'];

// Nothing that was read for one person is shown to the next one, who may have signed in in another tab.
session.whenOther(() => {
  queries.removeQueries({ predicate: ({ queryKey }) => !lasting.includes(String(queryKey[0])) });
  forgetDraftOfOthers();
});

// What failed while the server was away is read again as soon as it is back.
let wasDown = connection.isDown;
connection.state.subscribe(() => {
  const isBack = wasDown && !connection.isDown;
  wasDown = connection.isDown;
  if (isBack) void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.error !== null });
});

// Routers of this kind can ask before a page is left; the pages are told apart inside.
const follow = numberHistory();
const router = createHashRouter([{ path: '*', element: <Gate /> }]);
follow(router);

export function App() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={readableColours}
      getStyleNonce={styleNonce}
      withStaticClasses={false}
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
