import { Button, Group, Modal, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { serverNow, session } from '../api/session.ts';
import { claimsOf } from '../api/token.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { OverPageContext } from '../components/over-page.ts';
import { useTexts } from '../texts/texts.tsx';
import { useSignOut } from './sign-out.ts';

interface SessionEndingProps {
  readonly token: string;
  readonly renew: () => Promise<void>;
}

/** Says that the session ends and when, and lets the operator stay if that is possible. */
export function SessionEnding({ token, renew }: SessionEndingProps) {
  const { session: texts, common } = useTexts();
  const left = useSecondsUntil(claimsOf(token).exp ?? 0);
  const signOut = useSignOut();
  const [isOpen, setOpen] = useState(true);
  const renewal = useMutation({ mutationFn: renew });
  const { canRenew } = session.facts();
  const close = (): void => (canRenew ? renewal.mutate() : setOpen(false));
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={texts.endingTitle}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': canRenew ? texts.stay : common.close }}
    >
      <Stack>
        <Text>{canRenew ? texts.endingText : texts.lastText}</Text>
        <Text role="timer" fw={600}>
          {texts.timeLeft(asClock(left))}
        </Text>
        <VisuallyHidden role="status">{isTold(left) && texts.secondsLeft(left)}</VisuallyHidden>
        <OverPageContext value={true}>
          {renewal.error !== null && <ErrorNotice error={renewal.error} />}
        </OverPageContext>
        <Group justify="flex-end">
          {canRenew ? (
            <>
              <Button variant="default" onClick={signOut}>
                {texts.leave}
              </Button>
              <Button data-autofocus loading={renewal.isPending} onClick={() => renewal.mutate()}>
                {texts.stay}
              </Button>
            </>
          ) : (
            <>
              <Button variant="default" onClick={() => session.end('expired')}>
                {texts.signInNow}
              </Button>
              <Button data-autofocus onClick={() => setOpen(false)}>
                {texts.goOn}
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

/** Whole seconds until a moment (seconds since the epoch), anew every second. */
function useSecondsUntil(moment: number): number {
  const now = (): number => Math.max(0, Math.round(moment - serverNow() / 1000));
  const [left, setLeft] = useState(now);
  useInterval(() => setLeft(now()), 1000, { autoInvoke: true });
  return left;
}

const asClock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** A screen reader that says every second would say nothing else. */
const isTold = (seconds: number): boolean => seconds <= 30 && seconds % 10 === 0 && seconds > 0;
