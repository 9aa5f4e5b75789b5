import { hash, timingSafeEqual } from 'node:crypto';

/** The page of metrics of this process. */
export interface MetricsPage {
  /** All metrics in the text format of Prometheus. */
  read(): Promise<string>;
  /** The token that a request for it needs; undefined: none. */
  readonly token: string | undefined;
}

interface Pages {
  /** Served at `/metrics` beside the other routes; undefined: nothing. */
  page: MetricsPage | undefined;
}

/** What `/metrics` shows; set when telemetry starts. */
export const served: Pages = { page: undefined };

/** The type of the text format of Prometheus. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** Whether the token of a request permits it to read the page, in a time that tells nothing of the expected one. */
export function permits({ token }: MetricsPage, given: string | undefined): boolean {
  if (token === undefined) return true;
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
