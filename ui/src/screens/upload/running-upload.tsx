import { Button, Group, Stack, Title, VisuallyHidden } from '@mantine/core';
import type { XapiAccess } from '../../api/xapi.ts';
import { useObservable } from '../../session/observable.ts';
import { useTexts } from '../../texts/texts.tsx';
import type { UploadRun } from './engine/upload-run.ts';
import { Failures } from './failures.tsx';
import { HoldNotice } from './hold-notice.tsx';
import { Numbers } from './numbers.tsx';
import { Summary } from './summary.tsx';
import { UploadProgress } from './upload-progress.tsx';

interface RunningUploadProps {
  readonly run: UploadRun;
  readonly xapi: XapiAccess;
}

/** An upload under way, or what became of it. */
export function RunningUpload({ run, xapi }: RunningUploadProps) {
  const { upload } = useTexts();
  const state = useObservable(run.state);
  const isRunning = state.phase === 'running';
  const percent = Math.floor((100 * state.position) / Math.max(run.file.size, 1));
  return (
    <Stack>
      <Title order={2} size="h4" className="wrap-anywhere">
        {run.file.name}
      </Title>
      <UploadProgress percent={percent} phase={state.phase} hold={state.hold} />
      <Numbers run={run} state={state} />
      {/* Told in steps: who listens wants no flood. */}
      <VisuallyHidden role="status">
        {isRunning && state.hold === undefined && upload.percentSent(percent - (percent % 10))}
      </VisuallyHidden>
      {state.hold !== undefined && isRunning && <HoldNotice run={run} hold={state.hold} xapi={xapi} />}
      {isRunning && (
        <Group>
          {state.hold === undefined && (
            <Button variant="default" onClick={() => run.pause()}>
              {upload.pause}
            </Button>
          )}
          <Button variant="default" onClick={() => run.cancel()}>
            {upload.stop}
          </Button>
        </Group>
      )}
      {!isRunning && <Summary run={run} state={state} />}
      {state.failed > 0 && <Failures run={run} state={state} />}
    </Stack>
  );
}
