import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { HashRouter } from 'react-router';
import { ApiError } from './api/errors.ts';
import { Gate } from './gate.tsx';
import { session } from './session/store.ts';
import { styleNonce } from './style-nonce.ts';
import { readableColours, theme } from './theme.ts';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // What the server refuses it refuses again; only what it could not answer is worth another try.
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
      staleTime: 5_000,
    },
  },
});

/** What holds for whoever is signed in. */
const lasting = ['environment', 'texts'];

// Nothing that was read for one person is shown to the next one, who may have signed in in another tab.
session.whenOther(() => {
  queries.removeQueries({ predicate: ({ queryKey }) => !lasting.includes(String(queryKey[0])) });
});

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
        <HashRouter>
          <Gate />
        </HashRouter>
        <Notifications position="bottom-right" />
      </QueryClientProvider>
    </MantineProvider>
  );
}
