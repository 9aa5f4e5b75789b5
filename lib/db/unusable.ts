/**
 * The database cannot be used until an operator changes something; the message says what, for the person who starts the
 * server.
 */
export class DatabaseUnusableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Advice about a database that was created by a build before the first release. */
export const developmentSchema =
  'The database was made by a development build from before the first release, which this release cannot upgrade; nothing in it was changed. Export its statements with that build (GET /xapi/statements), or use an empty database.';
