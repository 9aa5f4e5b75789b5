import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { jsonText } from '../../../xapi/json-edit.ts';
import { type Starter, starters } from './starter-rulesets.ts';
import type { Edited } from './use-edited.ts';

/** Rulesets to begin with. What was written already gives way to one only after a question. */
export function Starters({ edited }: { readonly edited: Edited }) {
  const { reactions } = useTexts();
  const { title, draft } = edited;
  const [begun, setBegun] = useState<Draft>();
  const [asked, setAsked] = useState<Starter>();
  // Over the ruleset that every new reaction has, a title that was typed is no loss: it is kept.
  const isOwn =
    begun === undefined ? edited.isRulesetChanged : begun.title !== title || begun.text !== draft.text;
  const choose = (example: Starter): void => {
    const { name } = example;
    const isTitleKept = title.trim() !== '' && !isOwn && (begun === undefined || begun.isTitleKept);
    const chosen = {
      name,
      title: isTitleKept ? title : reactions.starter[name],
      text: jsonText(example.ruleset),
      isTitleKept,
    };
    edited.setTitle(chosen.title);
    draft.setText(chosen.text);
    setBegun(chosen);
    setAsked(undefined);
  };
  return (
    <Stack gap={4} role="group" aria-label={reactions.starters}>
      <Text size="sm">{reactions.starters}</Text>
      <Group gap="xs">
        {starters.map((example) => (
          <Button
            key={example.name}
            size="xs"
            variant="light"
            h="auto"
            mih={30}
            py={4}
            onClick={() => (isOwn ? setAsked(example) : choose(example))}
            styles={{ label: { whiteSpace: 'normal', textAlign: 'start', lineHeight: 1.4 } }}
          >
            {reactions.starter[example.name]}
          </Button>
        ))}
      </Group>
      <div role="status">{begun?.name === 'alert' && <Text size="sm">{reactions.alertNote}</Text>}</div>
      {asked !== undefined && (
        <ConfirmDialog
          title={reactions.starterTitle}
          action={reactions.starterAction}
          onConfirm={() => choose(asked)}
          onClose={() => setAsked(undefined)}
        >
          <Text size="sm">{reactions.starterText(reactions.starter[asked.name])}</Text>
        </ConfirmDialog>
      )}
    </Stack>
  );
}

/** What an example has put into the editor. */
interface Draft {
  readonly name: Starter['name'];
  readonly title: string;
  readonly text: string;
  /** Whether the title was there before. */
  readonly isTitleKept: boolean;
}
