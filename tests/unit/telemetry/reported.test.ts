import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { expect, it } from 'vitest';
import { createLogger } from '../../../lib/logger.ts';
import { reported } from '../../../lib/telemetry/otel/reported.ts';

it('an exporter logs once that its transmissions fail and once that they succeed again', () => {
  const lines: { level: number; msg: string; url: string; err?: { message: string } }[] = [];
  const logger = createLogger('INFO', { write: (line) => void lines.push(JSON.parse(line)) });
  const refused: ExportResult = { code: ExportResultCode.FAILED, error: new Error('Unauthorized') };
  const taken: ExportResult = { code: ExportResultCode.SUCCESS };
  const exporter = {
    export: (result: ExportResult, done: (result: ExportResult) => void) => done(result),
  };
  const url = 'http://collector.example/v1/traces';
  const { export: send } = reported(exporter, { logger, signal: 'traces', url });
  const answers: ExportResult[] = [];
  for (const result of [taken, refused, refused, taken, taken]) send(result, (each) => answers.push(each));
  expect(answers).toEqual([taken, refused, refused, taken, taken]);
  expect(lines).toMatchObject([
    {
      level: 40,
      url,
      err: { message: 'Unauthorized' },
      msg: expect.stringMatching(/^traces cannot be sent .*otlpEndpoint/),
    },
    { level: 30, url, msg: 'traces can be sent again' },
  ]);
});
