import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useKnownActivities } from '../../api/browse.ts';
import { AgentPicker } from '../../components/agent-picker.tsx';
import { SuggestInput } from '../../components/suggest-input.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useNames } from '../../texts/use-names.ts';

interface OwnerFiltersProps {
  readonly agent: string;
  readonly activityId: string;
  readonly onFilter: (filters: Readonly<Record<'agent' | 'activityId', string>>) => void;
}

/** Whose documents are listed; asked for as a whole, because half an identifier is none. */
export function OwnerFilters({ agent, activityId, onFilter }: OwnerFiltersProps) {
  const { documents: texts } = useTexts();
  const names = useNames();
  const [wantedAgent, setWantedAgent] = useState(agent);
  const [wantedActivity, setWantedActivity] = useState(activityId);
  const activities = useKnownActivities(wantedActivity).map((each) => ({
    value: each.id,
    name: names.text(each.definition?.name),
  }));
  const clear = () => {
    setWantedAgent('');
    setWantedActivity('');
    onFilter({ agent: '', activityId: '' });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onFilter({ agent: wantedAgent, activityId: wantedActivity.trim() });
      }}
    >
      <Stack gap="xs">
        <AgentPicker label={texts.agent} value={wantedAgent} onChange={setWantedAgent} />
        <SuggestInput
          label={texts.activity}
          value={wantedActivity}
          suggestions={activities}
          onChange={setWantedActivity}
        />
        <Group gap="xs">
          <Button type="submit" size="xs">
            {texts.applyOwner}
          </Button>
          <Button size="xs" variant="default" onClick={clear}>
            {texts.clearOwner}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
