import { ActionIcon, Group, Menu, useMantineColorScheme } from '@mantine/core';
import { IconLanguage, IconLogout, IconMoon, IconUserCircle } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { logout, meQuery } from '../api/accounts.ts';
import { session } from '../session/store.ts';
import { chosenLanguage, languages } from '../texts/languages.ts';
import { useLanguage, useTexts } from '../texts/texts.tsx';
import { KeyChoice } from './key-choice.tsx';

/** What is at hand on every page: key pair, colours, language, account. */
export function Tools() {
  return (
    <Group gap="xs" wrap="nowrap">
      <KeyChoice />
      <ColourMenu />
      <LanguageMenu />
      <AccountMenu />
    </Group>
  );
}

function ColourMenu() {
  const { frame } = useTexts();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" aria-label={frame.colours}>
          <IconMoon size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {(['light', 'dark', 'auto'] as const).map((scheme) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            fw={scheme === colorScheme ? 700 : undefined}
          >
            {frame[scheme]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function LanguageMenu() {
  const { frame } = useTexts();
  const current = useLanguage();
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" aria-label={frame.language}>
          <IconLanguage size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(languages).map(([language, { name }]) => (
          <Menu.Item
            key={language}
            lang={language}
            onClick={() => chosenLanguage.set(language)}
            fw={language === current ? 700 : undefined}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function AccountMenu() {
  const { frame } = useTexts();
  const { data: me } = useQuery(meQuery);
  const queries = useQueryClient();
  const leave = useMutation({
    mutationFn: logout,
    // Whatever the server says, this browser forgets the token and everything it was used to read.
    onSettled: () => {
      session.end('signed-out');
      queries.removeQueries({
        predicate: ({ queryKey }) => !['environment', 'texts'].includes(String(queryKey[0])),
      });
    },
  });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" aria-label={frame.account}>
          <IconUserCircle size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{me?.username}</Menu.Label>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => leave.mutate()}>
          {frame.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
