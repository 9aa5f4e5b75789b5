import type { Result } from '../../../../../lib/xapi/types.ts';
import type { Fact } from '../../../components/facts.tsx';
import { useLanguage, useTexts } from '../../../texts/texts.tsx';
import { durationText } from '../../../xapi/duration.ts';
import { type JsonNode, memberOf } from '../../../xapi/json-node.ts';
import { useScoreText } from '../result-text.ts';
import { Extensions } from './extensions.tsx';

/** What a result says, as far as it says something. */
export function useResultFacts(result: Result | undefined, node: JsonNode | undefined): (Fact | undefined)[] {
  const { statements } = useTexts();
  const language = useLanguage();
  const scoreText = useScoreText();
  const { score, success, completion, duration, response, extensions } = result ?? {};
  const scoreNode = memberOf(node, 'score');
  const digits = scoreNode?.kind === 'object' ? scoreNode.members.map(memberText).join(', ') : '';
  return [
    score && { name: statements.score, value: [scoreText(score), `(${digits})`].filter(Boolean).join(' ') },
    success === undefined
      ? undefined
      : { name: statements.successName, value: success ? statements.yes : statements.no },
    completion === undefined
      ? undefined
      : { name: statements.completionName, value: completion ? statements.yes : statements.no },
    duration === undefined
      ? undefined
      : { name: statements.duration, value: durationText(duration, language) },
    response === undefined ? undefined : { name: statements.response, value: response },
    extensions && {
      name: `${statements.result}: ${statements.extensions}`,
      value: <Extensions node={memberOf(node, 'extensions')} />,
    },
  ];
}

/** With the digits as they are written. */
function memberText({ key, value }: { readonly key: string; readonly value: JsonNode }): string {
  return `${key} ${value.kind === 'value' ? value.source : ''}`;
}
