import { createInterface } from 'node:readline';
import { InvalidError } from '../../lib/errors.ts';

/** Longest line that is read, so that a wrong file does not fill the memory. */
const longestLine = 10_000;

/**
 * A password from standard input: asked for twice and not shown at a terminal, else the first line. Never an argument, which
 * other users of the machine could read.
 * @throws InvalidError
 */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return firstLine();
  const password = await ask('Password: ');
  if ((await ask('The same again: ')) !== password) throw new InvalidError('The two passwords differ.');
  return password;
}

async function firstLine(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.includes('\n') || text.length > longestLine) break;
  }
  const [line = ''] = text.split(/\r?\n/, 1);
  if (line === '') throw new InvalidError('Standard input has no password in its first line.');
  return line;
}

function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const input = createInterface({ input: process.stdin, terminal: true });
  return new Promise((resolve, reject) => {
    input.once('SIGINT', () => {
      input.close();
      reject(new InvalidError('Interrupted.'));
    });
    input.once('line', (line) => {
      input.close();
      process.stderr.write('\n');
      resolve(line);
    });
  });
}
