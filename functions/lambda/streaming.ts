import { type StreamingRuntime, streamed } from '../../lib/http/gateways/lambda-stream.ts';
import { csvHandlers } from '../admin/csv.ts';
import { abandonUnfinished, open, openNow } from './runtime.ts';

// The types of Lambda say that its runtime is always there.
const { awslambda } = globalThis as unknown as { awslambda?: StreamingRuntime };

/** The export of statements at a function URL. */
export const handler = streamed(csvHandlers(open).getCsv, awslambda, abandonUnfinished);

await openNow();
