import { Alert, Code, Drawer, Group, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { nameOf, type UsableCredential } from '../../api/credentials.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { useFocusBack } from '../../components/focus-back.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Recipes } from './recipes.tsx';
import { Secret } from './secret.tsx';

interface PairDetailsProps {
  readonly credential: UsableCredential;
  /** It has just been made: its secret is shown at once. */
  readonly isNew: boolean;
  readonly onClose: () => void;
}

/** A key pair with its secret, and what to do with it elsewhere. */
export function PairDetails({ credential, isNew, onClose }: PairDetailsProps) {
  const { common, credentials: texts } = useTexts();
  useFocusBack();
  const [revealed, setRevealed] = useState(isNew);
  const { 'api-key': apiKey, 'secret-key': secret, scopes } = credential;
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="xl"
      title={texts.details(nameOf(credential))}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <Stack>
        {isNew && (
          <Alert role="status" title={texts.createdTitle}>
            {texts.createdText}
          </Alert>
        )}
        <Facts
          label={texts.pair}
          facts={[
            { name: texts.apiKey, value: <ApiKey value={apiKey} /> },
            {
              name: texts.secret,
              value: <Secret value={secret} revealed={revealed} onToggle={() => setRevealed(!revealed)} />,
            },
            { name: texts.scopes, value: scopes.join(', ') || common.none },
          ]}
        />
        <Title order={3} size="h4">
          {texts.recipes}
        </Title>
        <Recipes credential={credential} revealed={revealed} />
      </Stack>
    </Drawer>
  );
}

function ApiKey({ value }: { readonly value: string }) {
  const { credentials: texts } = useTexts();
  return (
    <Group gap={4} wrap="nowrap">
      <Code className="wrap-anywhere">{value}</Code>
      <CopyButton value={value} label={texts.copyApiKey('')} />
    </Group>
  );
}
