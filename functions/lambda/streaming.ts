import { readGatewayEvent } from '../../lib/http/gateways/index.ts';
import { type StreamingRuntime, streamed } from '../../lib/http/gateways/lambda-stream.ts';
import type { Handler } from '../../lib/http/handler.ts';
import { csvHandlers } from '../admin/csv.ts';
import { exportHandlers } from '../admin/export.ts';
import { abandonUnfinished, open, openNow } from './runtime.ts';

// The types of Lambda say that its runtime is always there.
const { awslambda } = globalThis as unknown as { awslambda?: StreamingRuntime };

const { getCsv } = csvHandlers(open);
const { getExport } = exportHandlers(open);
const download: Handler = (event, context) => {
  const { path } = readGatewayEvent(event).request;
  return path === '/admin/export' ? getExport(event, context) : getCsv(event, context);
};

/** The exports at a function URL. */
export const handler = streamed(download, awslambda, abandonUnfinished);

await openNow();
