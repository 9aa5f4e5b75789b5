import { ActionIcon, Group, Menu, useMantineColorScheme } from '@mantine/core';
import { IconLanguage, IconLogout, IconMoon, IconUserCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../api/accounts.ts';
import { useSignOut } from '../session/sign-out.ts';
import { chosenLanguage, languages } from '../texts/languages.ts';
import { useLanguage, useTexts } from '../texts/texts.tsx';
import { KeyChoice } from './key-choice.tsx';

/** What is at hand on every page: key pair, colours, language, account. */
export function Tools() {
  return (
    <Group gap="xs" wrap="nowrap" flex="none">
      <KeyChoice place="header" />
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
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" aria-label={frame.account}>
          <IconUserCircle size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{me?.username}</Menu.Label>
        {signOut !== undefined && (
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={signOut}>
            {frame.signOut}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
