import { Alert, Anchor, Select } from '@mantine/core';
import { Link } from 'react-router';
import { permits } from '../../../../lib/xapi/scopes.ts';
import { type Credential, nameOf, type UsableCredential, useCredentials } from '../../api/credentials.ts';
import { useTexts } from '../../texts/texts.tsx';

/** Whether the key pair may store statements. */
export function mayWrite({ scopes }: Credential): boolean {
  return permits(scopes, 'statements', 'write');
}

/** The key pair that was chosen here; else the one of the frame, if it may write, else the first that may. */
export function useWritingKey(apiKey: string | undefined): UsableCredential | undefined {
  const { chosen, credentials } = useCredentials();
  const picked = credentials.find((each) => each['api-key'] === apiKey);
  if (picked !== undefined) return picked;
  return chosen !== undefined && mayWrite(chosen) ? chosen : (credentials.find(mayWrite) ?? chosen);
}

interface WritingKeyProps {
  readonly credential: Credential | undefined;
  readonly onChoose: (apiKey: string) => void;
}

/** With which key pair the statements are sent. */
export function WritingKey({ credential, onChoose }: WritingKeyProps) {
  const { upload } = useTexts();
  const { credentials } = useCredentials();
  if (!credentials.some(mayWrite)) {
    return (
      <Alert color="yellow" title={upload.noWritingKey}>
        {upload.noWritingKeyText}{' '}
        <Anchor component={Link} to="/credentials" inherit underline="always">
          {upload.toKeys}
        </Anchor>
      </Alert>
    );
  }
  return (
    <Select
      label={upload.keyPair}
      description={upload.keyPairText}
      maw={420}
      allowDeselect={false}
      value={credential?.['api-key'] ?? null}
      data={credentials.map((each) => ({
        value: each['api-key'],
        label: `${nameOf(each)} (${each.scopes.join(', ') || upload.noScopes})`,
      }))}
      onChange={(apiKey) => apiKey !== null && onChoose(apiKey)}
      error={credential !== undefined && !mayWrite(credential) ? upload.mayNotWrite : undefined}
    />
  );
}
