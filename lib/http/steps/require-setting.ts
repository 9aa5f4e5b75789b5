import { NotFoundError } from '../../errors.ts';
import type { ConfiguredLrs } from '../../lrs.ts';
import type { OpenCall, Step } from '../call.ts';

/** Hides a route, whoever asks for it, while its feature is switched off. */
export function requireSetting(
  isOn: (config: ConfiguredLrs['config']) => boolean,
  { feature, setting }: { readonly feature: string; readonly setting: string },
): Step<OpenCall> {
  return {
    before: ({ event }) => {
      if (isOn(event.lrs.config)) return;
      throw new NotFoundError(`${feature} is switched off: set ${setting} to true to have it.`);
    },
  };
}
