import type { Result, Score } from '../../../../lib/xapi/types.ts';
import { useFormats } from '../../texts/formats.ts';
import { useLanguage, useTexts } from '../../texts/texts.tsx';
import { durationText } from '../../xapi/duration.ts';

/** A result in one line: score, success, completion, time taken, response. */
export function useResultText(): (result: Result | undefined) => string {
  const { statements } = useTexts();
  const language = useLanguage();
  const scoreText = useScoreText();
  return (result) => {
    const { score, success, completion, duration, response } = result ?? {};
    const parts = [
      score && scoreText(score),
      success === undefined ? undefined : statements.success(success),
      completion === undefined ? undefined : statements.completion(completion),
      duration && durationText(duration, language),
      response && `“${response.slice(0, longestResponse)}”`,
    ];
    return parts.filter(Boolean).join(' · ');
  };
}

const longestResponse = 100;

/** `85%`, else `17 / 20`. */
export function useScoreText(): (score: Score) => string {
  const { number, percent } = useFormats();
  return ({ scaled, raw, max }) => {
    if (scaled !== undefined) return percent(scaled);
    if (raw === undefined) return '';
    return max === undefined ? number(raw) : `${number(raw)} / ${number(max)}`;
  };
}
