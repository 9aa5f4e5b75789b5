import { NotFoundError } from '../../errors.ts';
import type { Lrs } from '../../lrs.ts';
import type { Call, Step } from '../call.ts';

/** Hides a route, whoever asks for it, while its feature is switched off. */
export function requireSetting(
  isOn: (config: Lrs['config']) => boolean,
  { feature, setting }: { readonly feature: string; readonly setting: string },
): Step<Call> {
  return {
    before: ({ event }) => {
      if (isOn(event.lrs.config)) return;
      throw new NotFoundError(`${feature} is switched off: set ${setting} to true to have it.`);
    },
  };
}
