import { Alert, Text } from '@mantine/core';
import { ApiError } from '../api/errors.ts';
import { useTexts } from '../texts/texts.tsx';

/** Why a sign-in at the OpenID provider came to nothing, in the words of who refused it. */
export function ProviderFailure({ error }: { readonly error: Error }) {
  const { common, login: texts } = useTexts();
  const provider = error.name === 'ErrorResponse' ? texts.providerSaid : undefined;
  const speaker = error instanceof ApiError ? common.serverSaid : provider;
  return (
    <Alert color="red" title={common.signInFailed} role="alert">
      <Text size="sm" className="wrap-anywhere">
        {speaker !== undefined && `${speaker}: `}
        {error.message}
      </Text>
      <Text size="sm">{error instanceof ApiError ? texts.notAdmitted : texts.providerFailed}</Text>
    </Alert>
  );
}
