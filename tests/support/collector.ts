import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { conditionLimit } from './time-limits.ts';

interface KeyValue {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}

/** A span as OTLP has it in JSON. */
export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly KeyValue[];
  readonly links?: readonly { readonly traceId: string }[];
}

interface ExportedTraces {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

/** A collector of OpenTelemetry that keeps what it is sent. */
export interface Collector {
  readonly url: string;
  readonly spans: readonly SentSpan[];
  /** All bodies. */
  readonly text: () => string;
  /** The paths that were called, and the values of `authorization`. */
  readonly calls: readonly (readonly [path: string, authorization: string | undefined])[];
  /** Resolves when a path was called. */
  called(path: string): Promise<void>;
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const bodies: string[] = [];
  const spans: SentSpan[] = [];
  const calls: (readonly [string, string | undefined])[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    bodies.push(body);
    if (request.url === '/v1/traces') {
      const { resourceSpans }: ExportedTraces = JSON.parse(body);
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    }
    calls.push([request.url ?? '', request.headers.authorization]);
    response.setHeader('Content-Type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    calls,
    text: () => bodies.join('\n'),
    async called(path) {
      for (
        const deadline = Date.now() + conditionLimit;
        !calls.some(([each]) => each === path);
        await sleep(20)
      ) {
        if (Date.now() > deadline) throw new Error(`Nobody has called ${path} of the collector.`);
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The value of an attribute. */
export function attributeOf({ attributes }: SentSpan, name: string): string | number | undefined {
  const value = attributes.find(({ key }) => key === name)?.value;
  return value?.stringValue ?? value?.intValue;
}
