import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { session } from '../../session/store.ts';
import { useTexts } from '../../texts/texts.tsx';

/** The account that the configuration makes is taken as it is there, and meant to be replaced. */
export function FirstAccountNotice() {
  const { overview: texts, accounts, pages } = useTexts();
  const { brokenRules } = session.facts();
  if (brokenRules.length === 0) return null;
  const rules = brokenRules.map((name) => accounts.rule[name]).join('; ');
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={texts.firstAccountTitle}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{texts.firstAccountText(rules)}</Text>
        <Text size="sm">{texts.firstAccountRemedy}</Text>
        <Anchor component={Link} to="/accounts" size="sm">
          {pages.accounts}
        </Anchor>
      </Stack>
    </Alert>
  );
}
