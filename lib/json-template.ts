import { readFile } from 'node:fs/promises';
import { InvalidError } from './errors.ts';

const place = /\{\{\s*(.*?)\s*\}\}/g;

/**
 * The text of a template file.
 * @throws InvalidError when it can't be read.
 */
export async function readTemplate(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new InvalidError(`The template ${file} can't be read.`, { cause });
  }
}

/**
 * The JSON text with every `{{ name }}` replaced by the value of that name, escaped as part of a JSON string: the quotes
 * stand in the template.
 */
export function filledIn(template: string, lookUp: (name: string) => string): string {
  return template.replace(place, (_, name: string) => JSON.stringify(lookUp(name)).slice(1, -1));
}

/** The names that a template asks for, each once. */
export function namesIn(template: string): string[] {
  return [...new Set([...template.matchAll(place)].map(([, name]) => name ?? ''))];
}
