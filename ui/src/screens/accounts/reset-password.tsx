import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { passwordRules } from '../../../../lib/accounts/rules.ts';
import { type Account, resetPassword } from '../../api/accounts.ts';
import { useDone } from '../../components/done.ts';
import { fieldError, restOf } from '../../components/field-errors.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { NewPassword } from './new-password.tsx';

interface ResetPasswordProps {
  readonly account: Account;
  readonly onClose: () => void;
}

/** A password for another account, whose own is lost or which has none. */
export function ResetPassword({ account: { 'account-id': id, username }, onClose }: ResetPasswordProps) {
  const { accounts: texts } = useTexts();
  const [fresh, setFresh] = useState('');
  const done = useDone();
  const reset = useMutation({
    mutationFn: () => resetPassword(id, fresh),
    onSuccess: () => {
      done(texts.resetDone(username));
      onClose();
    },
  });
  return (
    <FormDialog
      title={texts.resetTitle}
      action={texts.resetAction}
      isPending={reset.isPending}
      error={restOf(reset.error, ['new-password'])}
      onSubmit={reset.mutate}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}
