import { ApiError, type ErrorDetail } from '../../../api/errors.ts';
import type { Failure, Outgoing } from './entries.ts';

export interface Delivery {
  /** Sends the statements in one request. @throws ApiError for what the server refuses; whatever else is wrong is the sender's to mend. */
  readonly send: (statements: readonly Outgoing[]) => Promise<void>;
  readonly onStored: (count: number) => void;
  readonly onFailure: (failure: Failure) => void;
}

/** The statuses by which a server says that the content is at fault: sent again it is refused again. */
const refusals: readonly number[] = [400, 409, 413, 422];

export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && refusals.includes(error.status);
}

/**
 * Sends the statements; those that the server refuses are put aside, and all others are stored. A server refuses a request
 * as a whole, so it goes again without the statement that the server names, and in halves: many wrong ones take few requests.
 */
export async function deliver(statements: readonly Outgoing[], delivery: Delivery): Promise<void> {
  const waiting = [statements];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const error = await refusalOf(part, delivery);
    if (error === undefined) {
      delivery.onStored(part.length);
      continue;
    }
    const wrong = part.length === 1 ? 0 : wrongOne(error, part);
    const statement = wrong === undefined ? undefined : part[wrong];
    if (statement !== undefined) delivery.onFailure(failureOf(statement, error));
    const rest = part.filter((each) => each !== statement);
    const middle = Math.ceil(rest.length / 2);
    // The last one is sent first.
    waiting.push(...[rest.slice(middle), rest.slice(0, middle)].filter(({ length }) => length > 0));
  }
}

async function refusalOf(part: readonly Outgoing[], { send }: Delivery): Promise<ApiError | undefined> {
  try {
    await send(part);
    return undefined;
  } catch (error) {
    if (isRefusal(error)) return error;
    throw error;
  }
}

const ofBatch = /^statements\[(\d+)\]\.?/;

/** The place of the statement that the server names: by its place in the request, or by an id. */
function wrongOne({ details, message, status }: ApiError, part: readonly Outgoing[]): number | undefined {
  const index = details.map(({ path }) => ofBatch.exec(path)?.[1]).find((found) => found !== undefined);
  if (index !== undefined) return Number(index);
  if (status !== 409) return undefined;
  const named = part.flatMap(({ id }, at) => (id !== undefined && message.includes(id) ? [at] : []));
  return named.length === 1 ? named[0] : undefined;
}

function failureOf({ index, line, id, text }: Outgoing, error: ApiError): Failure {
  const details: readonly ErrorDetail[] =
    error.details.length > 0 ? error.details : [{ path: '', message: error.message }];
  const reasons = details.map((detail) => ({ ...detail, path: detail.path.replace(ofBatch, '') }));
  return { index, line, id, text, reasons };
}
