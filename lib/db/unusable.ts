/** The database can't be used until somebody changes something; the message says what, for the person who starts the server. */
export class DatabaseUnusableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
