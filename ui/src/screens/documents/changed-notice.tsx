import { Alert, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/errors.ts';
import { useTexts } from '../../texts/texts.tsx';

/** Whether the server refused a change because its `If-Match` names another version than the stored one. */
export function isChanged(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 412;
}

interface ChangedNoticeProps {
  /** What has not happened, and what to do. */
  readonly text: string;
  readonly children?: ReactNode;
}

/** Says that somebody else has changed the document meanwhile. */
export function ChangedNotice({ text, children }: ChangedNoticeProps) {
  const { documents: texts } = useTexts();
  return (
    <Alert color="red" role="alert" title={texts.changedTitle}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text}</Text>
        {children}
      </Stack>
    </Alert>
  );
}
