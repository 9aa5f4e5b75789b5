import { Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { useCover } from './cover.ts';
import { useFocusBack } from './focus-back.ts';
import { OverPageContext } from './over-page.ts';

interface DialogProps {
  readonly title: string;
  readonly size?: ModalProps['size'];
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog over the page; mounted only while it is open. */
export function Dialog({ title, size = 'md', onClose, children }: DialogProps) {
  const { common } = useTexts();
  useCover();
  useFocusBack();
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <OverPageContext value={true}>{children}</OverPageContext>
    </Modal>
  );
}
