import { Alert, Button, CopyButton, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ShownReaction } from '../../../../../lib/reactions/service-types.ts';
import { changerQuery } from '../../../api/audit.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { stateOf } from '../reaction-state.ts';
import { type ChangedPart, isStoppedOnly, type Meanwhile } from './meanwhile.ts';

interface MeanwhileNoticeProps {
  readonly id: string;
  readonly meanwhile: Meanwhile;
  /** What is edited, as JSON. */
  readonly json: string;
  readonly onLoad: (current: ShownReaction) => void;
}

/** Who has changed or deleted the reaction meanwhile, what is different, and how the draft can give way or be kept. */
export function MeanwhileNotice({ id, meanwhile, json, onLoad }: MeanwhileNoticeProps) {
  const { common, reactions } = useTexts();
  const { current } = meanwhile;
  const who = useChanger(id, meanwhile);
  return (
    <Alert color="yellow" p="xs" role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm" className="wrap-anywhere">
          {current === undefined ? (
            <>
              {reactions.deletedMeanwhile(who)} {reactions.draftKept}
            </>
          ) : (
            <>
              {reactions.changedMeanwhile(who)} <Differences current={current} changed={meanwhile.changed} />
            </>
          )}
        </Text>
        {current === undefined ? (
          <CopyButton value={json}>
            {({ copied, copy }) => (
              <Button size="compact-sm" variant="default" onClick={copy}>
                {copied ? common.copied : reactions.copyJson}
              </Button>
            )}
          </CopyButton>
        ) : (
          <Group gap="xs">
            <Load current={current} onLoad={onLoad} />
            <Button size="compact-sm" variant="default" type="submit">
              {reactions.saveOver}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

/** By the audit trail; undefined while it is not known, and where nobody has done it. */
function useChanger(id: string, meanwhile: Meanwhile): string | undefined {
  const { current } = meanwhile;
  const action = current === undefined ? 'DELETE /admin/reaction' : 'PUT /admin/reaction';
  const { data } = useQuery({
    ...changerQuery(id, action, current?.modified ?? ''),
    enabled: !isStoppedOnly(meanwhile),
  });
  return data ?? undefined;
}

interface DifferencesProps {
  readonly current: ShownReaction;
  readonly changed: readonly ChangedPart[];
}

function Differences({ current, changed }: DifferencesProps) {
  const { reactions } = useTexts();
  const texts: Readonly<Record<ChangedPart, string>> = {
    title: reactions.titleNow(current.title),
    ruleset: reactions.rulesetNow,
    state: reactions.stateNow(reactions.states[stateOf(current)]),
  };
  return changed.map((part) => texts[part]).join(' ');
}

function Load({
  current,
  onLoad,
}: Pick<MeanwhileNoticeProps, 'onLoad'> & { readonly current: ShownReaction }) {
  const { reactions } = useTexts();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setAsking(true)}>
        {reactions.loadOther}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={reactions.discardTitle}
          action={reactions.loadOther}
          onConfirm={() => {
            onLoad(current);
            // The form begins anew, and with it what had the focus is gone.
            document.getElementById('main')?.focus();
          }}
          onClose={() => setAsking(false)}
        >
          <Text size="sm">{reactions.loadOtherText}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}
