import { ApiError } from '../api/errors.ts';

/** What the server said against one member of what was sent; undefined if nothing. */
export function fieldError(error: Error | null, path: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const messages = error.details.filter((detail) => detail.path === path).map(({ message }) => message);
  return messages.length === 0 ? undefined : messages.join('; ');
}

/** The error, unless the fields of these members say all of it. */
export function restOf(error: Error | null, paths: readonly string[]): Error | null {
  const isTold =
    error instanceof ApiError &&
    error.details.length > 0 &&
    error.details.every(({ path }) => paths.includes(path));
  return isTold ? null : error;
}
