import { notifications } from '@mantine/notifications';
import { useTexts } from '../texts/texts.tsx';

/** Tells, for a while, that something is done; what is told of the same subject later takes the place of it. */
export function useDone(): (message: string, subject?: string) => void {
  const { common } = useTexts();
  return (message, subject) => {
    const closeButtonProps = { 'aria-label': common.close };
    const notice = {
      message,
      color: 'green',
      closeButtonProps,
      ...(subject !== undefined && { id: subject }),
    };
    // Changes one that is shown; otherwise there is none to change, and it is shown.
    if (subject !== undefined) notifications.update(notice);
    notifications.show(notice);
  };
}
