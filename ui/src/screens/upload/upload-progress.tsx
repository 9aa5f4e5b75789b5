import { Progress } from '@mantine/core';
import { useTexts } from '../../texts/texts.tsx';
import type { Hold } from './engine/patience.ts';
import type { UploadState } from './engine/upload-run.ts';

interface UploadProgressProps {
  readonly percent: number;
  readonly phase: UploadState['phase'];
  readonly hold: Hold | undefined;
}

/** How much of the file is sent. */
export function UploadProgress({ percent, phase, hold }: UploadProgressProps) {
  const { upload } = useTexts();
  const color = phase === 'done' ? 'green' : hold === undefined && phase === 'running' ? 'blue' : 'yellow';
  return (
    <Progress.Root size="lg">
      <Progress.Section
        value={percent}
        color={color}
        aria-label={upload.progress}
        aria-valuetext={upload.percentSent(percent)}
      />
    </Progress.Root>
  );
}
