import { UnavailableError } from '../errors.ts';

/** The connection was lost between the COMMIT and its confirmation. */
export class CommitOutcomeUnknownError extends UnavailableError {
  constructor(options: ErrorOptions) {
    super(
      'The database was lost in the middle of a commit, so what was sent may or may not be stored.',
      options,
    );
  }
}
