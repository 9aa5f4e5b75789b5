import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useRef } from 'react';
import { useTexts } from '../../../texts/texts.tsx';
import { InsertPath } from './insert-path.tsx';
import type { RulesetDraft } from './use-ruleset.ts';

/** The ruleset as JSON, and where it is none. */
export function JsonSide({ draft }: { readonly draft: RulesetDraft }) {
  const { reactions } = useTexts();
  const { text, mistake, setText } = draft;
  const field = useRef<HTMLTextAreaElement>(null);
  const insert = (json: string) => {
    const { selectionStart = text.length, selectionEnd = text.length } = field.current ?? {};
    setText(text.slice(0, selectionStart) + json + text.slice(selectionEnd));
    field.current?.focus();
  };
  const goToMistake = () => {
    if (mistake === undefined) return;
    field.current?.focus();
    field.current?.setSelectionRange(mistake.offset, mistake.offset + (mistake.twice?.length ?? 1));
  };
  return (
    <Stack gap="xs">
      <Textarea
        ref={field}
        label={reactions.json}
        description={reactions.jsonText}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={mistake !== undefined}
        autosize
        minRows={8}
        maxRows={14}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      />
      <div role="status">
        {mistake !== undefined && (
          <Alert color="red" p="xs">
            <Group gap="xs" justify="space-between">
              <Text size="sm" className="wrap-anywhere">
                {mistake.twice === undefined
                  ? reactions.noJson(mistake.line, mistake.column)
                  : reactions.memberTwice(mistake.line, mistake.column, mistake.twice.name)}
              </Text>
              <Button size="compact-xs" variant="default" onClick={goToMistake}>
                {reactions.goThere}
              </Button>
            </Group>
          </Alert>
        )}
      </div>
      <Group>
        <InsertPath onInsert={insert} />
      </Group>
    </Stack>
  );
}
