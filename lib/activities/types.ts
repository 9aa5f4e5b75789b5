/** What the Activities resource asks of the store (xAPI 1.0.3 Communication 2.5). */
export interface ActivityService {
  /** The JSON text of the Activity, with all that statements said about it; of an unknown one just its id. */
  activity(id: string): Promise<string>;
}
