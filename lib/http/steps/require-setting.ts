import { NotFoundError } from '../../errors.ts';
import type { ConfiguredLrs } from '../../lrs.ts';
import type { OpenCall, Step } from '../call.ts';

interface RequiredFeature {
  /** As the subject of a sentence. */
  readonly feature: string;
  readonly isPlural?: boolean;
  /** E.g. `lrs.enableReactions`. */
  readonly setting: string;
}

/** Hides a route, whoever asks for it, while its feature is switched off. */
export function requireSetting(
  isOn: (config: ConfiguredLrs['config']) => boolean,
  { feature, setting, isPlural = false }: RequiredFeature,
): Step<OpenCall> {
  return {
    before: ({ event }) => {
      if (isOn(event.lrs.config)) return;
      const [are, them] = isPlural ? ['are', 'them'] : ['is', 'it'];
      throw new NotFoundError(`${feature} ${are} switched off: set ${setting} to true to have ${them}.`);
    },
  };
}
