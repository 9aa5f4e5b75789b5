import { Button, Group, Stack, Title, VisuallyHidden } from '@mantine/core';
import type { XapiAccess } from '../../api/xapi.ts';
import { useObservable } from '../../observable/observable.ts';
import { useFormats } from '../../texts/formats.ts';
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
  const { percent } = useFormats();
  const state = useObservable(run.state);
  const isRunning = state.phase === 'running';
  const share = state.position / Math.max(run.file.size, 1);
  return (
    <Stack>
      <Title order={2} size="h4" className="wrap-anywhere">
        {run.file.name}
      </Title>
      <UploadProgress share={share} phase={state.phase} hold={state.hold} />
      <Numbers run={run} state={state} />
      {/* Told in steps: who listens wants no flood. */}
      <VisuallyHidden role="status">
        {isRunning && state.hold === undefined && upload.percentSent(inSteps(share, percent))}
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

const step = 0.1;

/** Tens of percents; before the first of them, that it has begun. */
function inSteps(share: number, percent: (share: number) => string): string {
  return share > 0 && share < step ? `<${percent(step)}` : percent(Math.floor(10 * share) / 10);
}
