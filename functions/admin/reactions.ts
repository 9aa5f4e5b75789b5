import { NotFoundError } from '../../lib/errors.ts';
import { type Handler, type Open, openDoor } from '../../lib/http/door.ts';

/** Reactions, which this release does not have. */
export function reactionDoors(open: Open): Record<'reactions', Handler> {
  return { reactions: openDoor(open, refuse) };
}

async function refuse(): Promise<never> {
  throw new NotFoundError(
    'This release does not have reactions; the setting lrs.enableReactions must stay false.',
  );
}
