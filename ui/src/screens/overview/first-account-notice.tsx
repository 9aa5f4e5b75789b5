import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { passwordRules, usernameRules } from '../../../../lib/accounts/rules.ts';
import { type RuleName, session } from '../../api/session.ts';
import { useTexts } from '../../texts/texts.tsx';

/** The account that the configuration makes is taken as it is there, and meant to be replaced. */
export function FirstAccountNotice() {
  const { overview: texts, login, pages } = useTexts();
  if (session.facts().brokenRules.length === 0) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={texts.firstAccountTitle}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{texts.firstAccountText}</Text>
        <Missing of={login.username} rules={usernameRules} />
        <Missing of={login.password} rules={passwordRules} />
        <Text size="sm">{texts.firstAccountRemedy}</Text>
        <Anchor component={Link} to="/accounts" size="sm">
          {pages.accounts}
        </Anchor>
      </Stack>
    </Alert>
  );
}

interface MissingProps {
  /** The name or the password. */
  readonly of: string;
  readonly rules: readonly { readonly name: RuleName }[];
}

function Missing({ of, rules }: MissingProps) {
  const { overview: texts, accounts } = useTexts();
  const { brokenRules } = session.facts();
  const missing = rules.filter(({ name }) => brokenRules.includes(name));
  if (missing.length === 0) return null;
  return (
    <Text size="sm">
      {texts.firstAccountLacks(of, missing.map(({ name }) => accounts.rule[name]).join('; '))}
    </Text>
  );
}
