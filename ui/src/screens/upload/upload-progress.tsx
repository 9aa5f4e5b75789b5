import { Progress } from '@mantine/core';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import type { Hold } from './engine/patience.ts';
import type { UploadState } from './engine/upload-run.ts';

interface UploadProgressProps {
  /** Part of 1. */
  readonly share: number;
  readonly phase: UploadState['phase'];
  readonly hold: Hold | undefined;
}

/** How much of the file is sent. */
export function UploadProgress({ share, phase, hold }: UploadProgressProps) {
  const { upload } = useTexts();
  const { percent } = useFormats();
  const color = phase === 'done' ? 'green' : hold === undefined && phase === 'running' ? 'blue' : 'yellow';
  return (
    <Progress.Root size="lg">
      <Progress.Section
        value={100 * share}
        color={color}
        aria-label={upload.progress}
        aria-valuetext={upload.percentSent(percent(share))}
      />
    </Progress.Root>
  );
}
