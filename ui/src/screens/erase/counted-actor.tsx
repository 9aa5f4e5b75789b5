import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { countActor, eraseActor } from '../../api/erasure.ts';
import { ApiError } from '../../api/errors.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Counts } from './counts.tsx';
import { Progress } from './progress.tsx';
import { Receipt } from './receipt.tsx';

interface CountedActorProps {
  /** As the server takes it. */
  readonly ifi: string;
  /** As people read it. */
  readonly name: string;
}

/** What is recorded of the actor, and the way to remove it. */
export function CountedActor({ ifi, name }: CountedActorProps) {
  const { erase: texts } = useTexts();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['erasure', ifi],
    queryFn: ({ signal }) => countActor(ifi, signal),
    // A count goes through every statement of the actor: only who asks for it gets another.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const erasure = useMutation({
    mutationFn: () => eraseActor(ifi),
    onSuccess: () =>
      queries.invalidateQueries({ predicate: ({ queryKey }) => !untouched.has(String(queryKey[0])) }),
  });
  if (erasure.isPending) return <Progress text={texts.erasing} hint={texts.erasingHint} />;
  if (erasure.isSuccess) return <Receipt name={name} erasure={erasure.data} />;
  if (isFetching) return <Progress text={texts.counting} hint={texts.countingHint} />;
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  const { rows } = data;
  if (Object.values(rows).every((count) => count === 0))
    return <Text role="status">{texts.nothing(name)}</Text>;
  return (
    <Stack>
      <Counts title={texts.found(name)} rows={rows} />
      {erasure.error !== null && <Interrupted error={erasure.error} />}
      <Group>
        <Button color="red" onClick={() => setAsking(true)}>
          {texts.erase}
        </Button>
        <Button variant="default" onClick={() => void refetch()}>
          {texts.countAgain}
        </Button>
      </Group>
      {isAsking && (
        <ConfirmDialog
          title={texts.confirmTitle}
          action={texts.erase}
          word={name}
          onConfirm={() => {
            setAsking(false);
            erasure.mutate();
          }}
          onClose={() => setAsking(false)}
        >
          <Text size="sm">{texts.confirmText}</Text>
        </ConfirmDialog>
      )}
    </Stack>
  );
}

/** What the screen knows that no erasure changes. */
const untouched = new Set(['environment', 'texts', 'credentials', 'me', 'erasure']);

/** An erasure without an answer may go on in the server, and goes on in any case when it is sent again. */
function Interrupted({ error }: { readonly error: Error }) {
  const { erase: texts } = useTexts();
  const isRefused = error instanceof ApiError && error.status < 500;
  return (
    <>
      <ErrorNotice error={error} />
      {!isRefused && <Text size="sm">{texts.interrupted}</Text>}
    </>
  );
}
