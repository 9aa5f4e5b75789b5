import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactionExample, reactionExamples } from '../../../../../lib/reactions/examples.ts';
import { useTexts } from '../../../texts/texts.tsx';

/** Rulesets to begin with. */
export function Starters({
  onChoose,
}: {
  readonly onChoose: (title: string, example: ReactionExample) => void;
}) {
  const { reactions } = useTexts();
  return (
    <Stack gap={4} role="group" aria-label={reactions.starters}>
      <Text size="sm">{reactions.starters}</Text>
      <Group gap="xs">
        {reactionExamples.map((example) => (
          <Button
            key={example.name}
            size="xs"
            variant="light"
            h="auto"
            mih={30}
            py={4}
            onClick={() => onChoose(reactions.starter[example.name], example)}
            styles={{ label: { whiteSpace: 'normal', textAlign: 'start', lineHeight: 1.4 } }}
          >
            {reactions.starter[example.name]}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}
