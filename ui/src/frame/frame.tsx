import '@mantine/notifications/styles.css';
import { AppShell, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { Route, Routes } from 'react-router';
import { loadScreensAhead, screens } from '../screens/screens.ts';
import { useTexts } from '../texts/texts.tsx';
import { useProduct } from '../texts/use-product.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import { Crash } from './crash.tsx';
import { KeyChoice } from './key-choice.tsx';
import { Menu } from './menu.tsx';
import { NotFound } from './not-found.tsx';
import { ScreenPart } from './screen-part.tsx';
import { Tools } from './tools.tsx';

/** The page of whoever is signed in: header, menu and the screen that the address names. */
export function Frame() {
  const { common, frame } = useTexts();
  const product = useProduct();
  const [opened, { toggle, close }] = useDisclosure();
  useEffect(loadScreensAhead, []);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 230, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <button type="button" className="skip-link" onClick={focusContent}>
        {common.skip}
      </button>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group wrap="nowrap" gap="xs" miw={0}>
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={frame.menu}
              aria-expanded={opened}
            />
            <Text fw={600} truncate>
              {product}
            </Text>
          </Group>
          <Tools />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={frame.pages}>
        <KeyChoice place="menu" />
        <Menu onChoose={close} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <ConnectionNotice />
        <Crash>
          <Routes>
            {screens.map((screen) => (
              <Route
                key={screen.path}
                path={screen.path}
                element={<ScreenPart key={screen.path} screen={screen} />}
              />
            ))}
            <Route path="*" element={<NotFound />} />
          </Routes>
        </Crash>
      </AppShell.Main>
      <Notifications position="bottom-right" />
    </AppShell>
  );
}

/** A link to the content would take the place of the screen's address, which is in the fragment. */
function focusContent(): void {
  document.getElementById('main')?.focus();
}
