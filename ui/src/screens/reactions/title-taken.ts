import { ApiError } from '../../api/errors.ts';
import { fieldError } from '../../components/field-errors.ts';
import type { Texts } from '../../texts/en.ts';

/** Whether a reaction was refused because another one has its title. */
export function isTitleTaken(error: Error | null): boolean {
  return (
    error instanceof ApiError && error.details.some(({ path, rule }) => path === 'title' && rule === 'unique')
  );
}

/** What the server said against the title; undefined if nothing. */
export function titleError(
  error: Error | null,
  { titleTaken }: Pick<Texts['reactions'], 'titleTaken'>,
): string | undefined {
  return isTitleTaken(error) ? titleTaken : fieldError(error, 'title');
}
