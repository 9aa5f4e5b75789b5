import type { Stage } from './browser.ts';
import { ruleset } from './reactions.ts';

/** Creates and deletes reactions behind the screen, paused ones unless `active`. */
export const reactionsOn = (stage: Stage, { active = false } = {}) => ({
  /** @returns its id. */
  async create(title: string, made: object = ruleset()): Promise<string> {
    const body = { title, ruleset: made, active };
    return (await stage.admin<{ readonly reactionId: string }>('POST', '/admin/reaction', body)).reactionId;
  },
  remove: (reactionId: string) => stage.admin('DELETE', '/admin/reaction', { reactionId }),
});
