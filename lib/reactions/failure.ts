import type { ReactionError, ReactionErrorReason, ReactionErrorType } from './types.ts';

/** A reaction can't go on: it is stopped, and the others are not. The message is for its operator. */
export class ReactionFailure extends Error {
  readonly type: ReactionErrorType;

  readonly reason: ReactionErrorReason | undefined;

  constructor(type: ReactionErrorType, message: string, reason?: ReactionErrorReason) {
    super(message);
    this.type = type;
    this.reason = reason;
  }

  /** As it is stored with the reaction. */
  get stored(): ReactionError {
    const { type, message, reason } = this;
    return { type, message: message.slice(0, longestMessage), ...(reason && { reason }) };
  }
}

/** The failure of a match whose statement cannot be stored because of the id that the template gives it. */
export function idTaken(id: string): ReactionFailure {
  return new ReactionFailure(
    'ReactionTemplateError',
    `The template gives the statement the id ${id}, which another statement has already.`,
    'id-taken',
  );
}

const longestMessage = 2000;
