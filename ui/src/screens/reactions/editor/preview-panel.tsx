import { Group, Loader, Text } from '@mantine/core';
import type { PreviewRange } from '../../../api/reactions.ts';
import type { Texts } from '../../../texts/en.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { isObject } from '../../../xapi/json-edit.ts';
import { PreviewResult } from './preview-result.tsx';
import { RangeChoice } from './range-choice.tsx';
import { RefusalNotice } from './refusal-notice.tsx';
import { Section } from './section.tsx';
import type { PreviewState } from './use-preview.ts';
import type { RulesetDraft } from './use-ruleset.ts';

interface PreviewPanelProps {
  readonly draft: RulesetDraft;
  readonly state: PreviewState;
  readonly range: PreviewRange;
  readonly onRange: (range: PreviewRange) => void;
}

/** What the ruleset would have done with stored statements; nothing is written. */
export function PreviewPanel({ draft, state, range, onRange }: PreviewPanelProps) {
  const { reactions } = useTexts();
  const waits = waitsFor(draft, reactions);
  const isWritten = waits === undefined;
  return (
    <Section title={reactions.preview} text={reactions.previewText}>
      <RangeChoice range={range} onChange={onRange} />
      <Group gap="xs" mih={22} role="status" aria-busy={isWritten && state.isOutdated}>
        {!isWritten && <Text size="sm">{waits}</Text>}
        {isWritten && state.isOutdated && (
          <>
            <Loader size="xs" aria-hidden />
            <Text size="sm">{reactions.previewRuns}</Text>
          </>
        )}
      </Group>
      {isWritten && state.error !== null && !state.isOutdated && (
        <RefusalNotice error={state.error} title={reactions.previewFailed} onRetry={state.retry} />
      )}
      {state.preview !== undefined && <PreviewResult preview={state.preview} ruleset={draft.ruleset} />}
    </Section>
  );
}

/** What the ruleset lacks before it can be tried. */
function waitsFor(
  { mistake, isUnfinished, ruleset }: RulesetDraft,
  texts: Texts['reactions'],
): string | undefined {
  if (mistake !== undefined) return texts.previewWaits;
  if (!isObject(ruleset)) return texts.noObject;
  return isUnfinished ? texts.previewWaitsForNumber : undefined;
}
