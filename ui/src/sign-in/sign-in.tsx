import { Divider, Text } from '@mantine/core';
import { useEnvironment } from '../api/environment.ts';
import { session } from '../api/session.ts';
import { useTexts } from '../texts/texts.tsx';
import { EntryPage } from './entry-page.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProviderButton } from './provider-button.tsx';

/** By name and password, at the OpenID provider, or either. */
export function SignIn() {
  const { login: texts } = useTexts();
  const { oidc, 'oidc-enable-local-admin': hasBoth } = useEnvironment();
  const ending = session.ending();
  return (
    <EntryPage title={texts.title}>
      {ending === 'expired' && <Text role="status">{texts.expired}</Text>}
      {ending === 'signed-out' && <Text role="status">{texts.signedOut}</Text>}
      {oidc !== undefined && <ProviderButton settings={oidc} />}
      {oidc !== undefined && hasBoth && <Divider label={texts.or} />}
      {(oidc === undefined || hasBoth) && <PasswordForm />}
    </EntryPage>
  );
}
