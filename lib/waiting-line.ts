/** What waits for a place: that of each client in the order in which it came, and the clients in turns. */
export class WaitingLine<Waiting> {
  readonly #byClient = new Map<string, Set<Waiting>>();

  get isEmpty(): boolean {
    return this.#byClient.size === 0;
  }

  lengthOf(client: string): number {
    return this.#byClient.get(client)?.size ?? 0;
  }

  join(client: string, waiting: Waiting): void {
    const own = this.#byClient.get(client);
    if (own === undefined) this.#byClient.set(client, new Set([waiting]));
    else own.add(waiting);
  }

  leave(client: string, waiting: Waiting): void {
    const own = this.#byClient.get(client);
    own?.delete(waiting);
    if (own?.size === 0) this.#byClient.delete(client);
  }

  /** Takes the one whose turn it is out of the line; undefined when nobody waits. Its client goes to the end. */
  next(): Waiting | undefined {
    const [first] = this.#byClient;
    if (first === undefined) return undefined;
    const [client, own] = first;
    const [waiting] = own;
    this.#byClient.delete(client);
    if (waiting !== undefined) own.delete(waiting);
    if (own.size > 0) this.#byClient.set(client, own);
    return waiting;
  }
}
