import type { ReactionErrorReason, ReactionErrorType } from '../../../../lib/reactions/types.ts';
import type { Texts } from '../../texts/en.ts';

/** What tells errors apart. */
interface FailureKind {
  readonly type: string;
  readonly reason?: ReactionErrorReason;
}

/** What went wrong in plain words, by the kind of the error; a kind that has none is named as it is. */
export function failureText(
  { type, reason }: FailureKind,
  { failureKinds }: Pick<Texts['reactions'], 'failureKinds'>,
): string {
  const kind = reason ?? type;
  return isKnown(kind, failureKinds) ? failureKinds[kind] : kind;
}

/** What helps against it; undefined where that is not known. */
export function remedyText(
  { type, reason }: FailureKind,
  { failureRemedies }: Pick<Texts['reactions'], 'failureRemedies'>,
): string | undefined {
  const kind = reason ?? type;
  return isKnown(kind, failureRemedies) ? failureRemedies[kind] : undefined;
}

function isKnown(
  kind: string,
  texts: Readonly<Record<ReactionErrorType | ReactionErrorReason, string>>,
): kind is ReactionErrorType | ReactionErrorReason {
  return Object.hasOwn(texts, kind);
}
