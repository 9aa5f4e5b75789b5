import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { passwordRules } from '../../../../lib/accounts/rules.ts';
import { changePassword } from '../../api/accounts.ts';
import { Dialog } from '../../components/dialog.tsx';
import { useDone } from '../../components/done.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { fieldError, restOf } from '../../components/field-errors.ts';
import { useTexts } from '../../texts/texts.tsx';
import { NewPassword } from './new-password.tsx';
import type { ShownRule } from './rule-list.tsx';

/** Another password for the own account. */
export function ChangePassword({ onClose }: { readonly onClose: () => void }) {
  const { common, accounts: texts } = useTexts();
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
  const rest = restOf(change.error, ['new-password']);
  return (
    <Dialog onClose={onClose} title={texts.change}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        <Stack>
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
          {rest !== null && <ErrorNotice error={rest} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={change.isPending}>
              {texts.changeAction}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
