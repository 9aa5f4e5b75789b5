import { useEnvironment } from '../api/environment.ts';
import { FirstRun } from './first-run.tsx';
import { SignIn } from './sign-in.tsx';

/** For whoever is not signed in, at every address. */
export function Welcome() {
  const environment = useEnvironment();
  return environment['no-accounts'] && environment.oidc === undefined ? <FirstRun /> : <SignIn />;
}
