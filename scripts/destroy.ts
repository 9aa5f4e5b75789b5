import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { processSource } from '../config/env.ts';
import { destroy } from './deployment/destroy.ts';

const root = join(import.meta.dirname, '..');

/** Undefined when the input ends without an answer. */
async function ask(question: string): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new Promise<undefined>((end) => terminal.once('close', () => end(undefined)));
  try {
    return await Promise.race([terminal.question(question), closed]);
  } finally {
    terminal.close();
  }
}

process.exitCode = await destroy({
  argv: process.argv.slice(2),
  env: processSource().env,
  cwd: root,
  program: join(root, 'node_modules/serverless/bin/serverless.js'),
  print: (line) => console.log(line),
  ask,
});
