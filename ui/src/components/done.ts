import { notifications } from '@mantine/notifications';
import { useTexts } from '../texts/texts.tsx';

/** Tells, for a while, that something is done. */
export function useDone(): (message: string) => void {
  const { common } = useTexts();
  return (message) =>
    notifications.show({ message, color: 'green', closeButtonProps: { 'aria-label': common.close } });
}
