import { AppShell, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { Route, Routes } from 'react-router';
import { Waiting } from '../components/waiting.tsx';
import { screens } from '../screens/screens.ts';
import { useTexts } from '../texts/texts.tsx';
import { Crash } from './crash.tsx';
import { Menu } from './menu.tsx';
import { NotFound } from './not-found.tsx';
import { Tools } from './tools.tsx';

/** The page of whoever is signed in: header, menu and the screen that the address names. */
export function Frame() {
  const { common, frame } = useTexts();
  const [opened, { toggle, close }] = useDisclosure();
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
              {common.product}
            </Text>
          </Group>
          <Tools />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={frame.pages}>
        <Menu onChoose={close} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <Crash>
          <Suspense fallback={<Waiting />}>
            <Routes>
              {screens.map(({ path, Content }) => (
                <Route key={path} path={path} element={<Content />} />
              ))}
              <Route path="*" element={<NotFound />} />
            </Routes>
          </Suspense>
        </Crash>
      </AppShell.Main>
    </AppShell>
  );
}

/** A link to the content would take the place of the screen's address, which is in the fragment. */
function focusContent(): void {
  document.getElementById('main')?.focus();
}
