import { NavLink, ScrollArea } from '@mantine/core';
import { NavLink as RouterLink, useLocation } from 'react-router';
import { useEnvironment } from '../api/environment.ts';
import { screens } from '../screens/screens.ts';
import { useTexts } from '../texts/texts.tsx';

/** Links to all screens that the settings have. */
export function Menu({ onChoose }: { readonly onChoose: () => void }) {
  const { pages } = useTexts();
  const { pathname } = useLocation();
  const environment = useEnvironment();
  return (
    <ScrollArea>
      {screens
        .filter(({ isOn }) => isOn?.(environment) ?? true)
        .map(({ path, name, icon: Icon }) => (
          <NavLink
            key={path}
            component={RouterLink}
            to={path}
            label={pages[name]}
            leftSection={<Icon size={18} aria-hidden />}
            active={pathname === path}
            variant="filled"
            onClick={onChoose}
          />
        ))}
    </ScrollArea>
  );
}
