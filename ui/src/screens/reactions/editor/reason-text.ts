import type { PropertyPath } from '../../../../../lib/csv/property-paths.ts';
import type { NearMissReason } from '../../../../../lib/reactions/service-types.ts';
import { operators } from '../../../../../lib/reactions/types.ts';
import type { Texts } from '../../../texts/en.ts';
import { isObject, parsed, valueAt } from '../../../xapi/json-edit.ts';
import { isPath, pathText } from '../../../xapi/property-path.ts';
import { placeOf } from './notes.ts';

interface ReasonSource {
  /** That the reason is about. */
  readonly ruleset: unknown;
  readonly texts: Texts['reactions'];
}

/** Says why a comparison did not hold: what was wanted, and what the statement has. */
export function reasonText(reason: NearMissReason, { ruleset, texts }: ReasonSource): string {
  const { path, op, expected, found } = reason;
  const at = placeOf(path);
  if (op === 'partner') return texts.noPartner(String(at[1] ?? ''), demandsOf(expected, texts));
  if (op === 'identity') return texts.noIdentity(identityText(expected) ?? path);
  const isNegated = op.startsWith(negation);
  const operator = operators.find((each) => each === (isNegated ? op.slice(negation.length) : op));
  const shown = (json: string | null) => (json === null ? texts.nothing : valueText(json, texts));
  const wanted = `${operator === undefined ? op : texts.operators[operator]} ${shown(expected)}`;
  const compared = comparedPath(ruleset, at) ?? path;
  // Nothing that is compared with a value that is not there holds, and neither does its opposite.
  if (isNegated && found === null) return texts.reasonUnknown(compared, wanted);
  return texts.reason(compared, { wanted, isNegated, found: shown(found) });
}

/** A value as JSON, its numbers as the language of the screen writes them. */
function valueText(json: string, { decimalSign }: Texts['reactions']): string {
  return /^-?\d+\.\d+$/.test(json) ? json.replace('.', decimalSign) : json;
}

/** The paths of a JSON array such as `["actor.mbox","context.registration"]`; undefined where it was cut. */
function identityText(expected: string | null): string | undefined {
  const paths = expected === null ? undefined : parsed(expected);
  return paths !== undefined && 'value' in paths && Array.isArray(paths.value)
    ? paths.value.join(', ')
    : (expected ?? undefined);
}

/** What a missing statement would need, one comparison each, from the JSON `{"actor.mbox": …, "stored": {"lt": …}}`. */
function demandsOf(expected: string | null, texts: Texts['reactions']): readonly string[] {
  if (expected === null) return [];
  const demands = parsed(expected);
  // The server cuts a long text, which then is no JSON.
  if (!('value' in demands) || !isObject(demands.value)) return [expected];
  return Object.entries(demands.value).flatMap(([path, value]) =>
    Object.entries(isObject(value) && !isReference(value) ? value : { eq: value }).map(
      ([op, each]) => `${path} ${demandText(op, texts)} ${demandedText(each, texts)}`,
    ),
  );
}

/** Stands for a value of a statement that was not found either. */
interface PartnerReference {
  readonly ref: { readonly condition: string; readonly path: PropertyPath };
}

function isReference(value: unknown): value is PartnerReference {
  return isObject(value) && isObject(value.ref) && isPath(value.ref.path);
}

function demandedText(value: unknown, texts: Texts['reactions']): string {
  if (!isReference(value)) return valueText(JSON.stringify(value), texts);
  const { condition, path } = value.ref;
  return texts.valueIn(pathText(path), condition);
}

function demandText(op: string, { operators, partnerOperators }: Texts['reactions']): string {
  const known: Readonly<Record<string, string>> = { ...operators, ...partnerOperators };
  return known[op] ?? op;
}

/** Before the operator of a comparison that must not hold. */
const negation = 'not ';

/** What of the statement is compared at a place of the ruleset. A comparison right below `not` is named by the place of its `not`. */
function comparedPath(ruleset: unknown, at: PropertyPath): string | undefined {
  const path = valueAt(ruleset, [...at, 'path']) ?? valueAt(ruleset, [...at, 'not', 'path']);
  return isPath(path) ? pathText(path) : undefined;
}
