import { Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { meQuery } from '../../../api/accounts.ts';
import { addressOf } from '../../../api/address.ts';
import { sendXapi, type XapiAccess } from '../../../api/xapi.ts';
import { AgentPicker } from '../../../components/agent-picker.tsx';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useNames } from '../../../texts/use-names.ts';
import { agentIn } from '../../../xapi/actor.ts';
import { type StoredStatement, statementQuery } from '../queries.ts';

/** The reserved Verb (xAPI 1.0.3 Data 2.3.2). */
export const voidedVerb = 'http://adlnet.gov/expapi/verbs/voided';

interface VoidDialogProps {
  readonly xapi: XapiAccess;
  readonly statement: StoredStatement;
  readonly onClose: () => void;
}

/** Voids a statement by another one, after showing who that will name as its Actor. */
export function VoidDialog({ xapi, statement, onClose }: VoidDialogProps) {
  const { statements } = useTexts();
  const names = useNames();
  const queries = useQueryClient();
  const own = useOwnAgent();
  const [chosen, setChosen] = useState<string>();
  const agent = chosen ?? own;
  const voiding = useMutation({
    mutationFn: () => sendXapi(xapi, 'statements', { method: 'POST', json: voidingOf(statement.id, agent) }),
    onSuccess: async () => {
      queries.setQueryData(
        statementQuery(xapi, statement.id).queryKey,
        (found) => found && { ...found, isVoided: true },
      );
      onClose();
      notifications.show({ message: statements.voidedNow });
      await queries.invalidateQueries({ queryKey: ['statements'] });
    },
  });
  return (
    <ConfirmDialog
      title={statements.voidTitle}
      action={statements.void}
      isPending={voiding.isPending}
      error={voiding.error}
      onConfirm={() => voiding.mutate()}
      onClose={onClose}
    >
      <Stack gap="xs">
        <Text size="sm" fw={600} className="wrap-anywhere">
          {names.sentence(statement)}
        </Text>
        <Text size="sm">{statements.voidText}</Text>
        <AgentPicker
          label={statements.voidActor}
          description={statements.voidActorHint}
          value={agent}
          onChange={setChosen}
        />
      </Stack>
    </ConfirmDialog>
  );
}

/** Whoever is signed in, as an account of this server; JSON text. */
function useOwnAgent(): string {
  const { data: me } = useQuery(meQuery);
  if (me === undefined) return '';
  return JSON.stringify({ account: { homePage: addressOf(''), name: me.username } });
}

/** xAPI 1.0.3 Data 2.3.2. */
function voidingOf(id: string, agent: string) {
  return {
    actor: agentIn(agent),
    verb: { id: voidedVerb, display: { en: 'voided' } },
    object: { objectType: 'StatementRef', id },
  };
}
