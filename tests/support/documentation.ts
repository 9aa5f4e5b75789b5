import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fenced block of a page of the documentation. */
export interface CodeBlock {
  readonly language: string;
  readonly code: string;
  /** The name in the comment `<!-- example: name -->` before it, or before the last block that has one. */
  readonly example: string | undefined;
}

/** The blocks of a page in `docs/`, in their order. */
export function codeBlocks(page: string): CodeBlock[] {
  const text = readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8');
  const parts = text.matchAll(
    /<!-- example: (?<name>\w+) -->|^## |^```(?<language>\w+)\n(?<code>.*?)^```$/gms,
  );
  const blocks: CodeBlock[] = [];
  let example: string | undefined;
  for (const { groups: { name, language, code } = {} } of parts) {
    if (language !== undefined && code !== undefined) blocks.push({ language, code, example });
    else example = name;
  }
  return blocks;
}
