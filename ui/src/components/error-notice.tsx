import { Alert, Button, List, Stack, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { use } from 'react';
import { connection } from '../api/connection.ts';
import { ApiError, ConnectionError } from '../api/errors.ts';
import { useObservable } from '../observable/observable.ts';
import type { Texts } from '../texts/en.ts';
import { useTexts } from '../texts/texts.tsx';
import { OverPageContext } from './over-page.ts';

interface ErrorNoticeProps {
  readonly error: Error;
  readonly onRetry?: () => void;
  /** In place of the general title. */
  readonly title?: string;
  /** In place of the server's words. */
  readonly text?: string | undefined;
}

/** What went wrong in plain words, what the server has said about it, in English, and what can be done. */
export function ErrorNotice({ error, onRetry, title, text }: ErrorNoticeProps) {
  const { common } = useTexts();
  const isTold = useConnectionNotice();
  // The notice of the connection says it for everything that is read.
  if (error instanceof ConnectionError && error.isRead && isTold) return null;
  const details = error instanceof ApiError ? error.details : [];
  const plain = text ?? textOf(error, common);
  return (
    <Alert
      color="red"
      icon={<IconAlertCircle aria-hidden />}
      title={title ?? titleOf(error, common)}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        {plain !== undefined && (
          <Text size="sm" className="wrap-anywhere">
            {plain}
          </Text>
        )}
        {text === undefined && error instanceof ApiError && (
          <Text size="sm" className="wrap-anywhere">
            {common.serverSaid}: <span lang="en">{error.message}</span>
          </Text>
        )}
        {details.length > 1 && (
          <List size="sm" lang="en">
            {details.map(({ path, message }) => (
              <List.Item key={`${path} ${message}`} className="wrap-anywhere">
                {path}: {message}
              </List.Item>
            ))}
          </List>
        )}
        <Remedy error={error} />
        {onRetry !== undefined && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {common.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

type CommonTexts = Texts['common'];

function titleOf(error: Error, common: CommonTexts): string {
  if (error instanceof ConnectionError || error instanceof ApiError) {
    return error.isRead ? common.readFailed : common.writeFailed;
  }
  return common.writeFailed;
}

/** After a change without an answer nobody knows whether it was made. */
function textOf(error: Error, common: CommonTexts): string | undefined {
  if (error instanceof ConnectionError) return error.isRead ? common.noConnection : common.noAnswerToWrite;
  if (!(error instanceof ApiError)) return error.message;
  return isKnown(error.code, common.refusals) ? common.refusals[error.code] : undefined;
}

function isKnown(code: string, refusals: CommonTexts['refusals']): code is keyof CommonTexts['refusals'] {
  return Object.hasOwn(refusals, code);
}

/** Whether the notice of the connection is in sight. */
function useConnectionNotice(): boolean {
  const { status } = useObservable(connection.state);
  const isOverPage = use(OverPageContext);
  if (isOverPage) return false;
  return status === 'unreachable' || status === 'offline';
}

function Remedy({ error }: { readonly error: Error }) {
  const { common } = useTexts();
  if (!(error instanceof ApiError)) return null;
  if (error.retryAfter !== undefined) return <Text size="sm">{common.retryAfter(error.retryAfter)}</Text>;
  return error.code === 'forbidden' ? <Text size="sm">{common.notPermitted}</Text> : null;
}
