import { Alert, Code, Group, Stack, Text, Title } from '@mantine/core';
import { permits, type Scope } from '../../../../lib/xapi/scopes.ts';
import type { CurlCall } from '../../api/curl.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface ToolProps {
  readonly call: CurlCall;
  /** The same, with the secret as it is seen now. */
  readonly shown: CurlCall;
  /** Those of the pair. */
  readonly scopes: readonly Scope[];
}

/** The two plugins by which Moodle sends statements; the fields have the names that they have there. */
export function MoodleFields({ call, shown, scopes }: ToolProps) {
  const { credentials: texts } = useTexts();
  return (
    <Stack gap="xs">
      <Title order={4} size="h6">
        {texts.moodleLogstore}
      </Title>
      <Text size="sm">{texts.moodleLogstoreText}</Text>
      <MissingScopes held={scopes} needed={['statements/write']} />
      <Fields
        label={texts.moodleLogstore}
        fields={[
          ['Your LRS endpoint for the xAPI', call.endpoint],
          ['Your LRS basic auth key/username', call.apiKey],
          ['Your LRS basic auth secret/password', call.secret, shown.secret],
        ]}
      />
      <Title order={4} size="h6" mt="md">
        {texts.moodleLaunch}
      </Title>
      <Text size="sm">{texts.moodleLaunchText}</Text>
      <MissingScopes
        held={scopes}
        needed={['statements/write', 'statements/read', 'state', 'agents_profile']}
      />
      <Fields
        label={texts.moodleLaunch}
        fields={[
          ['Endpoint', `${call.endpoint}/`],
          ['Basic Login', call.apiKey],
          ['Basic Password', call.secret, shown.secret],
        ]}
      />
    </Stack>
  );
}

/** What the LRS tab of the publishing options asks for. */
export function StorylineFields({ call, shown, scopes }: ToolProps) {
  const { credentials: texts } = useTexts();
  return (
    <Stack gap="xs">
      <Text size="sm">{texts.storylineText}</Text>
      <MissingScopes held={scopes} needed={['statements/write', 'statements/read', 'state']} />
      <Fields
        label="Articulate Storyline"
        fields={[
          ['Endpoint', `${call.endpoint}/`],
          ['Key', call.apiKey],
          ['Secret', call.secret, shown.secret],
        ]}
      />
    </Stack>
  );
}

/** The name of a field, what is copied and, if that is another text, what is seen. */
type Field = readonly [name: string, value: string, shown?: string];

function Fields({ label, fields }: { readonly label: string; readonly fields: readonly Field[] }) {
  const { credentials: texts } = useTexts();
  return (
    <Facts
      label={label}
      facts={fields.map(([name, value, shown = value]) => ({
        name,
        value: (
          <Group gap={4} wrap="nowrap">
            <Code className="wrap-anywhere">{shown}</Code>
            <CopyButton value={value} label={texts.copyField(name)} />
          </Group>
        ),
      }))}
    />
  );
}

/** What the scopes that tools need are needed for; others may permit it, too. */
const purposes = {
  'statements/write': ['statements', 'write'],
  'statements/read': ['statements', 'read'],
  state: ['activities/state', 'write'],
  agents_profile: ['agents/profile', 'write'],
} as const;

interface MissingScopesProps {
  readonly held: readonly Scope[];
  readonly needed: readonly (keyof typeof purposes)[];
}

function MissingScopes({ held, needed }: MissingScopesProps) {
  const { credentials: texts } = useTexts();
  const missing = needed.filter((scope) => {
    const [resource, access] = purposes[scope];
    return !permits(held, resource, access);
  });
  return missing.length === 0 ? null : (
    <Alert color="yellow">{texts.missingScopes(missing.join(', '))}</Alert>
  );
}
