import { longestHashed } from '../../lib/text-map.ts';

/** The beginnings of all keys that are put into a Map or Set meanwhile, and that V8 hashes by their length alone. */
export async function longKeysDuring(work: () => Promise<unknown>): Promise<string[]> {
  const found: string[] = [];
  const note = (key: unknown): void => {
    if (typeof key === 'string' && key.length > longestHashed) found.push(key.slice(0, 80));
  };
  const { set } = Map.prototype;
  const { add } = Set.prototype;
  Map.prototype.set = function (key, value) {
    note(key);
    return set.call(this, key, value);
  };
  Set.prototype.add = function (value) {
    note(value);
    return add.call(this, value);
  };
  try {
    await work();
  } finally {
    Map.prototype.set = set;
    Set.prototype.add = add;
  }
  return found;
}
