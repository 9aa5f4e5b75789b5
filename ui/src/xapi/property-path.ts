import type { PropertyPath } from '../../../lib/csv/property-paths.ts';

const plainName = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

/** A path as people write it: `context.contextActivities.parent[0].id`, `result.extensions["https://example.org/x"]`. */
export function pathText(path: PropertyPath): string {
  return path
    .map((step, at) => {
      if (typeof step === 'number') return `[${step}]`;
      if (!plainName.test(step)) return `[${JSON.stringify(step)}]`;
      return at === 0 ? step : `.${step}`;
    })
    .join('');
}

/** The other way round; undefined for a text that is no path. */
export function pathOf(text: string): PropertyPath | undefined {
  const step = /\.?([\p{L}_$][\p{L}\p{N}_$-]*)|\[(\d+|"(?:[^"\\]|\\.)*")\]/uy;
  const whole = text.trim();
  const path: (string | number)[] = [];
  while (step.lastIndex < whole.length) {
    const [, name, bracket] = step.exec(whole) ?? [];
    const found = name ?? stepOf(bracket);
    if (found === undefined) return undefined;
    path.push(found);
  }
  return path.length === 0 ? undefined : path;
}

/** Tells paths apart. */
export function keyOf(path: PropertyPath): string {
  return JSON.stringify(path);
}

function stepOf(json: string | undefined): string | number | undefined {
  try {
    const value: unknown = json === undefined ? undefined : JSON.parse(json);
    return typeof value === 'string' || typeof value === 'number' ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isPath(value: unknown): value is PropertyPath {
  return (
    Array.isArray(value) && value.every((step) => typeof step === 'string' || Number.isSafeInteger(step))
  );
}

/** What somebody means who is still typing: a path that goes on is as far as it goes, anything else is one name. */
export function typedPath(text: string): PropertyPath {
  const whole = text.trim();
  if (whole === '') return [];
  return pathOf(whole) ?? pathOf(whole.replace(/[.[]+$/, '')) ?? [whole];
}
