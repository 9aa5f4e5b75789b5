import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import { openSpan } from '../../../lib/log-context.ts';
import { OtelRecorder, type Sampling } from '../../../lib/telemetry/otel/tracer.ts';
import type { TracedRequest } from '../../../lib/telemetry/trace.ts';

function recorder(sampling: Sampling) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { tracer: new OtelRecorder(provider.getTracer('test'), sampling), exporter };
}

const described = (headers: TracedRequest['headers'] = {}): TracedRequest => ({
  ...{ method: 'GET', route: '/x', path: '/x', scheme: 'http', headers },
});

/** Begins a request. */
const traceOf = (tracer: OtelRecorder, headers: TracedRequest['headers'] = {}) =>
  tracer.request(headers.traceparent, () => described(headers));
const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('requests that are traced', () => {
  it('are no more in a second than may be, whoever wants it', () => {
    const { tracer } = recorder({ ratio: 1, perSecond: 3 });
    const began = Array.from({ length: 100 }, (_, index) =>
      traceOf(tracer, index % 2 === 0 ? { traceparent } : {}),
    );
    // The second may end while they begin.
    const count = began.filter((span) => span !== undefined).length;
    expect(count).toBeGreaterThanOrEqual(3);
    expect(count).toBeLessThanOrEqual(6);
  });

  it('are none of their own where the ratio is 0', () => {
    const { tracer } = recorder({ ratio: 0, perSecond: 3 });
    expect(traceOf(tracer)).toBeUndefined();
    expect(traceOf(tracer, { traceparent })?.traceId).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
  });

  it.each([
    'garbage',
    '',
    `${traceparent}x`,
    traceparent.replace(/[^-]/g, '0'),
    'ff'.concat(traceparent.slice(2)),
  ])('are chosen by the ratio when the client names no trace: %j', (nonsense) => {
    const { tracer } = recorder({ ratio: 0, perSecond: 3 });
    expect(traceOf(tracer, { traceparent: nonsense })).toBeUndefined();
  });

  it('are the only ones that are described', () => {
    const { tracer } = recorder({ ratio: 0, perSecond: 3 });
    const describe = (): TracedRequest => {
      throw new Error('Nobody reads it.');
    };
    expect(tracer.request(undefined, describe)).toBeUndefined();
  });

  it('share the span of a group, which is part of the first and has links to the others', async () => {
    const { tracer, exporter } = recorder({ ratio: 1, perSecond: 100 });
    const spans = await Promise.all(
      [1, 2].map(async () => {
        const span = traceOf(tracer);
        const open = await span?.run({}, async () => openSpan());
        span?.end(200, {});
        return open;
      }),
    );
    await tracer.group('group', [undefined, ...spans], async () => {
      tracer.during('inside', Promise.resolve(), {});
    });
    const [first, second] = exporter.getFinishedSpans();
    const group = exporter.getFinishedSpans().find(({ name }) => name === 'group');
    const inside = exporter.getFinishedSpans().find(({ name }) => name === 'inside');
    expect(group?.parentSpanContext?.spanId).toBe(first?.spanContext().spanId);
    expect(group?.links.map(({ context }) => context.spanId)).toEqual([second?.spanContext().spanId]);
    expect(inside?.parentSpanContext?.spanId).toBe(group?.spanContext().spanId);
  });

  it('leave no context behind when the last of them has ended', async () => {
    const { tracer } = recorder({ ratio: 1, perSecond: 100 });
    const seen = await traceOf(tracer)?.run({}, async () => tracer.open());
    expect([seen === undefined, tracer.open()]).toEqual([false, undefined]);
    expect(tracer.apart(() => tracer.open())).toBeUndefined();
  });
});
