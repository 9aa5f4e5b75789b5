import { JsonTree } from '../../../components/json-tree.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import type { JsonNode } from '../../../xapi/json-node.ts';

/** What no rule of the specification names, as it is written. */
export function Extensions({ node }: { readonly node: JsonNode | undefined }) {
  const { statements } = useTexts();
  return node === undefined ? null : <JsonTree node={node} label={statements.extensions} />;
}
