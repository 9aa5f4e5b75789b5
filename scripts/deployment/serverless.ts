import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** How the Serverless framework is called. */
export interface ServerlessOptions {
  /** File of the program. */
  readonly program: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stage: string;
}

/** A command that failed; it has said why. */
export class CommandFailedError extends Error {
  override readonly name = 'CommandFailedError';
}

/** Runs a command of Serverless, whose output goes to the terminal. @throws CommandFailedError */
export async function serverless(
  command: readonly string[],
  { program, cwd, env, stage }: ServerlessOptions,
): Promise<void> {
  const child = spawn(process.execPath, [program, ...command, '--stage', stage], {
    cwd,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const code = await new Promise<number | null>((ended, failed) => {
    child.once('exit', ended);
    child.once('error', failed);
  });
  if (code !== 0) throw new CommandFailedError(`serverless ${command.join(' ')} failed`);
}

/** What the stack told at the end of the last `deploy`: see scripts/serverless-outputs.cjs. */
export function takeOutputs(cwd: string): Readonly<Record<string, string>> {
  const file = join(cwd, '.serverless/outputs.json');
  if (!existsSync(file)) return {};
  const outputs = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  return outputs;
}
