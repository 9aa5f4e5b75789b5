import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { addressOf } from './address.ts';
import { connection } from './connection.ts';
import { ConnectionError } from './errors.ts';

/** A part of the screen that could not be loaded although the server answers. */
export class PartError extends Error {
  /** The server has another release of the screen by now, whose parts have other names. */
  readonly isOutdated: boolean;

  constructor(cause: unknown, isOutdated: boolean) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.isOutdated = isOutdated;
  }
}

interface Part<T> {
  readonly content: T;
}

/** A part of the screen that is loaded when it is needed, such as a page; unlike with `lazy`, a failure can be mended. */
export function usePart<T>(name: string, load: () => Promise<T>): UseQueryResult<Part<T>> {
  return useQuery({
    queryKey: ['part', name],
    queryFn: async () => ({ content: await loadPart(load) }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    retry: false,
  });
}

/** Loads a part of the screen. @throws PartError, or ConnectionError when the server does not answer. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new PartError(cause, await isOutdated());
  }
}

/** Whether the server has another page than this one. @throws ConnectionError when it does not answer. */
async function isOutdated(): Promise<boolean> {
  const script = document.querySelector('script[type=module][src]')?.getAttribute('src') ?? '';
  try {
    const response = await fetch(addressOf(''), { cache: 'no-store' });
    return response.ok && !(await response.text()).includes(script);
  } catch (error) {
    connection.failed();
    throw new ConnectionError(error instanceof Error ? error.message : String(error), true);
  }
}
