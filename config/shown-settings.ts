import type { ShownSetting } from '../lib/settings/types.ts';
import { hasEffect, type Key, keys } from './schema/keys.ts';
import type { Settings } from './schema/settings.ts';
import type { Given } from './sources.ts';

/** Every setting that has an effect in this release, for people; the schema says which ones are secrets. */
export function shownSettings(settings: Settings, given: ReadonlyMap<string, Given>): ShownSetting[] {
  return [...keys.values()].filter(hasEffect).map((key) => {
    const shown = {
      group: key.group,
      key: key.name,
      env: `LRS_${key.envNames[0]}`,
      default: !given.has(key.name),
    };
    const value = settingOf(settings, key);
    return key.meta.secret === true
      ? { ...shown, secret: true, set: value !== undefined }
      : { ...shown, value: value ?? null };
  });
}

function settingOf(settings: Settings, { group, name }: Key): unknown {
  return Reflect.get(Object(Reflect.get(settings, group)), name);
}
