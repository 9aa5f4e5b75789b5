import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useEnvironment } from '../api/environment.ts';
import { FirstRun } from './first-run.tsx';
import { SignIn } from './sign-in.tsx';

/** What was there before the session and holds for the next one, too. */
const lasting = ['environment', 'texts'];

/** For whoever is not signed in, at every address: nothing that was read for somebody else is left. */
export function Welcome() {
  const environment = useEnvironment();
  const queries = useQueryClient();
  useEffect(() => {
    queries.removeQueries({ predicate: ({ queryKey }) => !lasting.includes(String(queryKey[0])) });
  }, [queries]);
  return environment['no-accounts'] && environment.oidc === undefined ? <FirstRun /> : <SignIn />;
}
