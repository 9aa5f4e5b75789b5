import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { Logger } from '../../logger.ts';

/** What an exporter of OpenTelemetry has in common with others. */
interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void;
}

/** What is logged of an exporter. */
export interface Reported {
  readonly logger: Logger;
  /** What it sends. */
  readonly signal: 'metrics' | 'traces';
  /** Where to. */
  readonly url: string;
}

/**
 * The same exporter, which logs when its transmissions begin to fail and when they succeed again. The packages of OpenTelemetry
 * drop what could not be sent without a word.
 */
export function reported<Items, E extends Exporter<Items>>(
  exporter: E & Exporter<Items>,
  { logger, signal, url }: Reported,
): E {
  const send = exporter.export.bind(exporter);
  let isFailing = false;
  exporter.export = (items, done) =>
    send(items, (result) => {
      const hasFailed = result.code !== ExportResultCode.SUCCESS;
      if (hasFailed && !isFailing) {
        logger.warn(
          { url, err: result.error },
          `${signal} cannot be sent and are dropped: check the collector, telemetry.otlpEndpoint and telemetry.otlpHeaders`,
        );
      }
      if (!hasFailed && isFailing) logger.info({ url }, `${signal} can be sent again`);
      isFailing = hasFailed;
      done(result);
    });
  return exporter;
}
