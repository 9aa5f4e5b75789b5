import { ApiError } from '../../api/errors.ts';

/** Whether a reaction was refused because another one has its title. */
export function isTitleTaken(error: Error | null): boolean {
  return (
    error instanceof ApiError && error.details.some(({ path, rule }) => path === 'title' && rule === 'unique')
  );
}
