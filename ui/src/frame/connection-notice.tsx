import { Alert, Button, Group, Loader, Text } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { connection } from '../api/connection.ts';
import { useObservable } from '../observable/observable.ts';
import { useFormats } from '../texts/formats.ts';
import { useTexts } from '../texts/texts.tsx';
import classes from './connection-notice.module.css';

/** Says once, for everything on the page, that the server does not answer. It goes away by itself when the server is back. */
export function ConnectionNotice() {
  const { connection: texts } = useTexts();
  const { time } = useFormats();
  const { status, isChecking, failedAt } = useObservable(connection.state);
  if (status === 'up') return null;
  if (status === 'slow') {
    return (
      <Alert color="yellow" mb="md" className={classes.notice} role="status">
        <Group gap="xs">
          <Loader size="xs" aria-hidden />
          <Text size="sm">{texts.slow}</Text>
        </Group>
      </Alert>
    );
  }
  return (
    <Alert
      color="red"
      mb="md"
      className={classes.notice}
      icon={<IconPlugConnectedX aria-hidden />}
      title={texts.title[status]}
      role="alert"
    >
      <Group gap="sm">
        <Text size="sm">{texts.text[status]}</Text>
        <Button size="xs" variant="default" loading={isChecking} onClick={() => void connection.check()}>
          {texts.tryNow}
        </Button>
        {failedAt !== undefined && (
          <Text size="sm" c="dimmed">
            {texts.failedAt(time(new Date(failedAt)))}
          </Text>
        )}
      </Group>
    </Alert>
  );
}
