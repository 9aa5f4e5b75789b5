import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { AgentPicker } from '../../components/agent-picker.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface ActorChoiceProps {
  readonly agent: string;
  readonly onChoose: (json: string) => void;
}

export function ActorChoice({ agent, onChoose }: ActorChoiceProps) {
  const { erase: texts } = useTexts();
  const [wanted, setWanted] = useState(agent);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(wanted);
      }}
    >
      <Stack gap="xs">
        <AgentPicker
          label={texts.actor}
          description={texts.actorHint}
          value={wanted}
          onChange={setWanted}
          withJson={false}
        />
        <Group>
          <Button type="submit" disabled={wanted === '' || wanted === agent}>
            {texts.count}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
