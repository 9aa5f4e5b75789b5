type Enter = () => void;

/** What waits for a place: that of each client in the order in which it came, and the clients in turns. */
export class WaitingLine {
  readonly #byClient = new Map<string, Set<Enter>>();

  lengthOf(client: string): number {
    return this.#byClient.get(client)?.size ?? 0;
  }

  join(client: string, enter: Enter): void {
    const own = this.#byClient.get(client);
    if (own === undefined) this.#byClient.set(client, new Set([enter]));
    else own.add(enter);
  }

  leave(client: string, enter: Enter): void {
    const own = this.#byClient.get(client);
    own?.delete(enter);
    if (own?.size === 0) this.#byClient.delete(client);
  }

  /** Takes the one whose turn it is out of the line; undefined when nobody waits. Its client goes to the end. */
  next(): Enter | undefined {
    const [first] = this.#byClient;
    if (first === undefined) return undefined;
    const [client, own] = first;
    const [enter] = own;
    this.#byClient.delete(client);
    if (enter !== undefined) own.delete(enter);
    if (own.size > 0) this.#byClient.set(client, own);
    return enter;
  }
}
