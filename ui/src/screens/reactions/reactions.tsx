import { Alert, Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useEnvironment } from '../../api/environment.ts';
import { reactionsQuery } from '../../api/reactions.ts';
import { useDone } from '../../components/done.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Page } from '../../components/page.tsx';
import { useListAddress } from '../../components/use-list-address.ts';
import { Waiting } from '../../components/waiting.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { DeletedReactions } from './deleted-reactions.tsx';
import { Details } from './details/details.tsx';
import { EditorPage } from './editor/editor-page.tsx';
import { MissedNotice, type MissedStatements } from './missed-notice.tsx';
import { ReactionsTable } from './reactions-table.tsx';
import { useFocusAfterRemoval } from './use-focus-after-removal.ts';
import { usePlaces } from './use-places.ts';

/** Reactions, where the settings have them. */
export function ReactionsScreen() {
  const { pages, reactions } = useTexts();
  if (useEnvironment()['enable-reactions']) return <Reactions />;
  return (
    <Page title={pages.reactions}>
      <Alert title={reactions.switchedOff}>
        <Text size="sm">{reactions.switchedOffText}</Text>
      </Alert>
    </Page>
  );
}

/** Reactions: the list, the details of one over it, or the editor in its place. */
function Reactions() {
  const { pages, reactions: texts } = useTexts();
  const address = useListAddress();
  const places = usePlaces(address);
  const done = useDone();
  const { data, error, refetch } = useQuery(reactionsQuery);
  const onDeleted = useFocusAfterRemoval(data);
  /** Of the reaction that was resumed last. */
  const [missed, setMissed] = useState<MissedStatements>();
  if (places.edited !== undefined) {
    return (
      <EditorPage
        key={places.edited}
        id={places.edited}
        reactions={data}
        error={error}
        onSaved={(title, { reactionId, missed: range }) => {
          setMissed(range && { id: reactionId, title, range });
          // What was missed is told on the page; one message is enough.
          if (range === undefined) done(texts.saved);
          places.open(undefined);
        }}
        onCancel={() => places.open(undefined)}
      />
    );
  }
  if (places.isDeleted) {
    return (
      <Page
        // A page of its own, whose heading takes the focus.
        key="deleted"
        title={texts.deletedOnes}
        actions={
          <Button variant="default" onClick={() => places.showDeleted(false)}>
            {texts.allReactions}
          </Button>
        }
      >
        <DeletedReactions />
      </Page>
    );
  }
  const actions = (
    <Group gap="xs">
      <Button variant="default" onClick={() => places.showDeleted(true)}>
        {texts.deletedOnes}
      </Button>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => places.edit('new')}>
        {texts.create}
      </Button>
    </Group>
  );
  return (
    <Page key="listed" title={pages.reactions} actions={actions}>
      <Text size="sm" maw={800}>
        {texts.intro}
      </Text>
      {missed !== undefined && (
        <MissedNotice key={missed.id} missed={missed} onClose={() => setMissed(undefined)} />
      )}
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Waiting />}
      {data?.length === 0 && <Text>{texts.empty}</Text>}
      {data !== undefined && data.length > 0 && (
        <ReactionsTable reactions={data} places={places} onResumed={setMissed} onDeleted={onDeleted} />
      )}
      <Details places={places} onResumed={setMissed} onDeleted={onDeleted} />
    </Page>
  );
}
