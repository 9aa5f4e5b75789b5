import { UnavailableError } from '../errors.ts';

/** The connection was lost or closed between the COMMIT and its confirmation. */
export class CommitOutcomeUnknownError extends UnavailableError {
  /** @param reason why there is no confirmation. */
  constructor(options: ErrorOptions, reason = 'The database was lost in the middle of a commit') {
    super(`${reason}, so what was sent may or may not be stored.`, options);
  }
}
