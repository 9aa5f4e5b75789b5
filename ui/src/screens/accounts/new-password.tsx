import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CopyButton } from '../../components/copy-button.tsx';
import { newPassword } from '../../sign-in/new-password.ts';
import { useTexts } from '../../texts/texts.tsx';
import { RuleList, type ShownRule } from './rule-list.tsx';

interface NewPasswordProps {
  readonly label: string;
  readonly value: string;
  readonly rules: readonly ShownRule[];
  /** What the server said against it. */
  readonly error: ReactNode;
  readonly onChange: (password: string) => void;
}

/** A password that is about to be set, with the rules for it; it can be seen, copied and suggested. */
export function NewPassword({ label, value, rules, error, onChange }: NewPasswordProps) {
  const { accounts: texts, common } = useTexts();
  const [visible, setVisible] = useState(false);
  const suggest = () => {
    onChange(newPassword());
    setVisible(true);
  };
  return (
    <Stack gap="xs">
      <PasswordInput
        label={label}
        autoComplete="new-password"
        required
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        visible={visible}
        onVisibilityChange={setVisible}
        visibilityToggleFocusable
        visibilityToggleButtonProps={{ 'aria-label': common.showPassword }}
      />
      <Group gap={4}>
        <Button size="compact-xs" variant="default" onClick={suggest}>
          {texts.suggest}
        </Button>
        {value !== '' && <CopyButton value={value} label={texts.copyPassword} />}
      </Group>
      <RuleList rules={rules} text={value} />
    </Stack>
  );
}
