import { useFormats } from '../../../texts/formats.ts';
import { useTexts } from '../../../texts/texts.tsx';
import type { PreviewState } from './use-preview.ts';

/** Says in a few words what a preview has found; nothing while it is on its way. */
export function usePreviewSummary(): (state: PreviewState) => string {
  const { reactions } = useTexts();
  const { number } = useFormats();
  return ({ preview, error, isOutdated }) => {
    if (isOutdated) return '';
    if (error !== null) return reactions.previewFailed;
    return preview === undefined ? '' : reactions.wouldFire(preview.firings, number);
  };
}
