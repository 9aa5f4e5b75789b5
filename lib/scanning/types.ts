/** A content that a client sends, with what a refusal calls it. */
export interface ScannedContent {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Looks for malware in contents before they are stored. */
export interface ContentScanner {
  /**
   * @param client who sends them, as `nameOfPrincipal` has it: the contents of several clients are scanned in turns.
   * @throws MalwareError when something is found; UnavailableError when a content could not be scanned in time, or too many
   * of the client wait, so that nothing is stored unseen.
   */
  check(contents: readonly ScannedContent[], client: string): Promise<void>;
}
