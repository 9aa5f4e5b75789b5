import type { IncomingMessage } from 'node:http';

const none = Buffer.alloc(0);

/** Whether the request has a body at all (RFC 9112 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined ||
    (headers['content-length'] !== undefined && headers['content-length'] !== '0')
  );
}

/** How the reading of a body ended: whole, or given up because it is larger than permitted or the client went away. */
export type BodyReading =
  | { readonly body: Buffer }
  | { readonly tooLarge: number }
  | { readonly aborted: true };

/** Reads a body of at most `maxBytes`; of a larger one nothing more is read or kept. */
export function readBody(message: IncomingMessage, maxBytes: number): Promise<BodyReading> {
  if (!hasBody(message)) return Promise.resolve({ body: none });
  const announced = Number(message.headers['content-length'] ?? 0);
  if (announced > maxBytes) return Promise.resolve({ tooLarge: announced });
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let length = 0;
    let settle: typeof resolve | undefined = resolve;
    const end = (reading: BodyReading): void => {
      settle?.(reading);
      // Listeners live as long as the request, and what they hold does too: the pieces, and the body through `resolve`.
      settle = undefined;
      chunks = [];
    };
    message.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) {
        chunks.push(chunk);
      } else {
        message.removeAllListeners('data');
        message.pause();
        end({ tooLarge: length });
      }
    });
    message.on('end', () => end({ body: joined(chunks, length) }));
    // A request that breaks off ends with this too; without a listener for it, there is no event `error`.
    message.on('close', () => end({ aborted: true }));
  });
}

function joined(chunks: readonly Buffer[], length: number): Buffer {
  const [first = none] = chunks;
  return chunks.length < 2 ? first : Buffer.concat(chunks, length);
}
