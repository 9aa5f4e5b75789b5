import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import type { XapiAccess } from '../../api/xapi.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useTexts } from '../../texts/texts.tsx';
import type { Hold } from './engine/patience.ts';
import type { UploadRun } from './engine/upload-run.ts';
import { senderFor } from './sender.ts';
import { mayWrite, useWritingKey, WritingKey } from './writing-key.tsx';

interface HoldNoticeProps {
  readonly run: UploadRun;
  readonly hold: Hold;
  readonly xapi: XapiAccess;
}

/** Why nothing is sent at the moment, and how it goes on. */
export function HoldNotice({ run, hold, xapi }: HoldNoticeProps) {
  const { upload } = useTexts();
  if (hold.kind === 'stopped') return <Stopped run={run} error={hold.error} xapi={xapi} />;
  if (hold.kind === 'waiting') return <WaitingForServer run={run} error={hold.error} until={hold.until} />;
  return (
    <Alert color="yellow" role="status" title={upload.paused}>
      <Button onClick={() => run.goOn()}>{upload.goOn}</Button>
    </Alert>
  );
}

interface WaitingProps {
  readonly run: UploadRun;
  readonly error: Error;
  readonly until: number;
}

function WaitingForServer({ run, error, until }: WaitingProps) {
  const { upload, common } = useTexts();
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), 1000, { autoInvoke: true });
  return (
    <Alert color="yellow" title={upload.waiting}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm" role="status">
          {upload.waitingText}
        </Text>
        <Text size="sm" className="wrap-anywhere">
          {error instanceof ApiError ? `${common.serverSaid}: ${error.message}` : upload.noAnswer}
        </Text>
        <Group>
          <Button size="xs" variant="default" onClick={() => run.goOn()}>
            {upload.tryNow}
          </Button>
          <Text size="sm">{upload.nextTry(Math.max(Math.ceil((until - now) / 1000), 0))}</Text>
        </Group>
      </Stack>
    </Alert>
  );
}

interface StoppedProps {
  readonly run: UploadRun;
  readonly error: Error;
  readonly xapi: XapiAccess;
}

/** Another key pair may be what it needs. */
function Stopped({ run, error, xapi }: StoppedProps) {
  const { upload } = useTexts();
  const [apiKey, setApiKey] = useState<string>();
  const credential = useWritingKey(apiKey ?? run.apiKey);
  return (
    <Stack>
      <ErrorNotice error={error} />
      <Text size="sm">{upload.stoppedText}</Text>
      <WritingKey credential={credential} onChoose={setApiKey} />
      <Group>
        <Button
          disabled={credential === undefined || !mayWrite(credential)}
          onClick={() => {
            if (credential === undefined) return;
            run.sendWith(credential['api-key'], senderFor({ ...xapi, credential }));
            run.goOn();
          }}
        >
          {upload.goOn}
        </Button>
      </Group>
    </Stack>
  );
}
