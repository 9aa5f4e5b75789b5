import { Alert, Button, Checkbox, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { permits } from '../../../../../lib/xapi/scopes.ts';
import type { XapiAccess } from '../../../api/xapi.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { JsonTree } from '../../../components/json-tree.tsx';
import { Snippet } from '../../../components/snippet.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useNames } from '../../../texts/use-names.ts';
import { indented, type JsonNode, jsonNodeOf } from '../../../xapi/json-node.ts';
import type { ListProps } from '../list-props.ts';
import type { StatementText } from '../queries.ts';
import { Attachments } from './attachments.tsx';
import { ReactionLinks } from './reaction-links.tsx';
import { StatementCard } from './statement-card.tsx';
import { VoidDialog, voidedVerb } from './void-dialog.tsx';

/** All that is known of a statement: for people, as a tree, and as the server's text. */
export function StatementDetails({ xapi, address, found }: ListProps & { readonly found: StatementText }) {
  const { statements } = useTexts();
  const names = useNames();
  const { statement, text, isVoided } = found;
  const node = useMemo(() => jsonNodeOf(text), [text]);
  const [isVoiding, setVoiding] = useState(false);
  return (
    <Stack gap="sm">
      <Title order={3} size="h4" className="wrap-anywhere">
        {names.sentence(statement)}
      </Title>
      {isVoided && (
        <Alert color="orange" p="xs">
          {statements.voidedText}
        </Alert>
      )}
      <Group gap="xs">
        <CopyButton value={text} label={statements.copyJson} />
        {!isVoided && statement.verb.id !== voidedVerb && (
          <VoidButton xapi={xapi} onClick={() => setVoiding(true)} />
        )}
      </Group>
      <Tabs defaultValue="card" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="card">{statements.card}</Tabs.Tab>
          <Tabs.Tab value="tree">{statements.tree}</Tabs.Tab>
          <Tabs.Tab value="json">{statements.json}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="card" pt="xs">
          <Stack gap="md">
            <StatementCard statement={statement} node={node} link={address.link} />
            <ReactionLinks id={statement.id} link={address.link} />
            <Attachments xapi={xapi} found={found} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="tree" pt="xs">
          <JsonTree node={node} label={statements.tree} openLevels={3} />
        </Tabs.Panel>
        <Tabs.Panel value="json" pt="xs">
          <RawJson found={found} node={node} />
        </Tabs.Panel>
      </Tabs>
      {isVoiding && <VoidDialog xapi={xapi} statement={statement} onClose={() => setVoiding(false)} />}
    </Stack>
  );
}

interface VoidButtonProps {
  readonly xapi: XapiAccess;
  readonly onClick: () => void;
}

/** In its place, what the key pair lacks for it. */
function VoidButton({ xapi, onClick }: VoidButtonProps) {
  const { statements } = useTexts();
  if (!permits(xapi.credential.scopes, 'statements', 'write')) {
    return (
      <Text size="sm" c="dimmed">
        {statements.mayNotVoid}
      </Text>
    );
  }
  return (
    <Button variant="default" size="compact-sm" onClick={onClick}>
      {statements.void}
    </Button>
  );
}

/** The server's text as it came, or with nothing but line breaks and margins added. */
function RawJson({ found, node }: { readonly found: StatementText; readonly node: JsonNode }) {
  const { statements } = useTexts();
  const [isIndented, setIndented] = useState(true);
  return (
    <Stack gap="xs">
      <Checkbox
        label={statements.indented}
        checked={isIndented}
        onChange={(event) => setIndented(event.currentTarget.checked)}
      />
      <Snippet text={isIndented ? indented(node) : found.text} label={statements.json} />
    </Stack>
  );
}
