import { Drawer, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { CoverContext } from './cover.ts';
import { OverPageContext } from './over-page.ts';

interface DetailsDrawerProps {
  readonly opened: boolean;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Details of an entry beside the list that it is in. Closed, it stays mounted, so that the focus finds its way back. */
export function DetailsDrawer({ opened, title, onClose, children }: DetailsDrawerProps) {
  const { common } = useTexts();
  const [isCovered, setCovered] = useState(false);
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      closeOnEscape={!isCovered}
      position="right"
      size="xl"
      title={title}
      classNames={{ title: 'wrap-anywhere' }}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <CoverContext value={setCovered}>
        <OverPageContext value={true}>
          <Stack>{children}</Stack>
        </OverPageContext>
      </CoverContext>
    </Drawer>
  );
}
