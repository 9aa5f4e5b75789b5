import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { passwordRules } from '../../../../lib/accounts/rules.ts';
import { type Account, resetPassword } from '../../api/accounts.ts';
import { Dialog } from '../../components/dialog.tsx';
import { useDone } from '../../components/done.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { fieldError, restOf } from '../../components/field-errors.ts';
import { useTexts } from '../../texts/texts.tsx';
import { NewPassword } from './new-password.tsx';

interface ResetPasswordProps {
  readonly account: Account;
  readonly onClose: () => void;
}

/** A password for another account, whose own is lost or which has none. */
export function ResetPassword({ account: { 'account-id': id, username }, onClose }: ResetPasswordProps) {
  const { common, accounts: texts } = useTexts();
  const [fresh, setFresh] = useState('');
  const done = useDone();
  const reset = useMutation({
    mutationFn: () => resetPassword(id, fresh),
    onSuccess: () => {
      done(texts.resetDone(username));
      onClose();
    },
  });
  const rest = restOf(reset.error, ['new-password']);
  return (
    <Dialog onClose={onClose} title={texts.resetTitle}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          reset.mutate();
        }}
      >
        <Stack>
          <Text size="sm" className="wrap-anywhere">
            {texts.resetText(username)}
          </Text>
          <NewPassword
            label={texts.newPassword}
            value={fresh}
            rules={passwordRules}
            error={fieldError(reset.error, 'new-password')}
            onChange={setFresh}
          />
          {rest !== null && <ErrorNotice error={rest} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={reset.isPending}>
              {texts.resetAction}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
