import { Gate } from '../../db/gate.ts';
import { UnavailableError } from '../../errors.ts';
import type { ReactionMemory } from '../memory.ts';
import type { Preview, PreviewRequest } from '../service-types.ts';
import type { ParsedRuleset } from '../types.ts';
import type { PreviewOptions } from './preview.ts';

/** Previews that may wait for each other. */
const mostWaiting = 4;

/** Makes one preview at a time, because each holds megabytes of statements. */
export class Previewer {
  readonly #options: Omit<PreviewOptions, 'memory'>;
  readonly #memory: ReactionMemory;
  readonly #gate = new Gate();
  #waiting = 0;

  constructor({ memory, ...options }: Omit<PreviewOptions, 'memory'> & { readonly memory: ReactionMemory }) {
    this.#options = options;
    this.#memory = memory;
  }

  /** @throws UnavailableError when too many wait already, or reactions need the memory. */
  async preview(
    ruleset: ParsedRuleset,
    request: Omit<PreviewRequest, 'ruleset'>,
  ): Promise<Omit<Preview, 'warnings'>> {
    if (this.#waiting > mostWaiting)
      throw new UnavailableError('Other previews are being made: try again in a few seconds.');
    this.#waiting += 1;
    try {
      return await this.#gate.exclusive(() => this.#make(ruleset, request));
    } finally {
      this.#waiting -= 1;
    }
  }

  async #make(
    ruleset: ParsedRuleset,
    request: Omit<PreviewRequest, 'ruleset'>,
  ): Promise<Omit<Preview, 'warnings'>> {
    // Few processes make a preview, so functions do not load it at their start.
    const { previewOf } = await import('./preview.ts');
    const account = this.#memory.open();
    try {
      return await previewOf(ruleset, request, { ...this.#options, memory: account.share(true) });
    } finally {
      account.close();
    }
  }
}
