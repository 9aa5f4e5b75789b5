import { PasswordInput, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { passwordRules } from '../../../../lib/accounts/rules.ts';
import { changePassword } from '../../api/accounts.ts';
import { useDone } from '../../components/done.ts';
import { fieldError, restOf } from '../../components/field-errors.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { NewPassword } from './new-password.tsx';
import type { ShownRule } from './rule-list.tsx';

/** Another password for the own account. */
export function ChangePassword({ onClose }: { readonly onClose: () => void }) {
  const { accounts: texts } = useTexts();
  const [old, setOld] = useState('');
  const [fresh, setFresh] = useState('');
  const done = useDone();
  const change = useMutation({
    mutationFn: () => changePassword(old, fresh),
    onSuccess: () => {
      done(texts.changed);
      onClose();
    },
  });
  const differs: ShownRule = { name: 'differs', holds: (text) => text !== old };
  return (
    <FormDialog
      title={texts.change}
      action={texts.changeAction}
      isPending={change.isPending}
      error={restOf(change.error, ['new-password'])}
      onSubmit={change.mutate}
      onClose={onClose}
    >
      <Text size="sm">{texts.changeText}</Text>
      <PasswordInput
        label={texts.oldPassword}
        autoComplete="current-password"
        required
        data-autofocus
        value={old}
        onChange={(event) => setOld(event.currentTarget.value)}
        visibilityToggleFocusable
        visibilityToggleButtonProps={{ 'aria-label': texts.showOldPassword }}
      />
      <NewPassword
        label={texts.newPassword}
        value={fresh}
        rules={[...passwordRules, differs]}
        error={fieldError(change.error, 'new-password')}
        onChange={setFresh}
      />
    </FormDialog>
  );
}
