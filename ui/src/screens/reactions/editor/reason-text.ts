import type { PropertyPath } from '../../../../../lib/csv/property-paths.ts';
import type { NearMissReason } from '../../../../../lib/reactions/service-types.ts';
import { operators } from '../../../../../lib/reactions/types.ts';
import type { Texts } from '../../../texts/en.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { valueAt } from '../../../xapi/json-edit.ts';
import { isPath, pathText } from '../../../xapi/property-path.ts';
import { notesOf } from './notes.ts';

/** Says why a comparison did not hold: what was wanted, and what the statement has. */
export function useReasonText(ruleset: unknown): (reason: NearMissReason) => string {
  const { reactions } = useTexts();
  return (reason) => {
    const { path, op, expected } = reason;
    const [place] = notesOf([{ path, message: '' }], 'warning');
    const at = place?.path ?? [];
    if (op === 'partner') return reactions.noPartner(at[1]?.toString(), expected ?? undefined);
    if (op === 'identity') return reactions.noIdentity(expected ?? path);
    return comparisonText(reason, { at, ruleset, texts: reactions });
  };
}

interface Comparison {
  /** Where it is in the ruleset. */
  readonly at: PropertyPath;
  readonly ruleset: unknown;
  readonly texts: Texts['reactions'];
}

function comparisonText(
  { path, op, expected, found }: NearMissReason,
  { at, ruleset, texts }: Comparison,
): string {
  const isNegated = op.startsWith(negation);
  const compared = valueAt(ruleset, [...at, ...(isNegated ? ['not'] : []), 'path']);
  const where = isPath(compared) ? pathText(compared) : path;
  const name = operators.find((each) => each === (isNegated ? op.slice(negation.length) : op));
  if (name === undefined) return texts.notOpposite(where);
  const wanted = `${texts.operators[name]} ${expected ?? texts.nothing}`;
  return texts.reason(where, isNegated ? texts.opposite(wanted) : wanted, found ?? texts.nothing);
}

/** Before the operator of a comparison that must not hold. */
const negation = 'not ';
