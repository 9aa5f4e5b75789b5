import { processSource } from '../config/env.ts';
import { readPassword } from './operator/password.ts';
import { printTo } from './operator/print-to.ts';
import { runCommand } from './operator/run.ts';

/* `serverless-lrs COMMAND`: what an operator does at the command line. */

process.exitCode = await runCommand(process.argv.slice(2), {
  source: processSource(),
  readPassword,
  print: printTo(process.stdout),
  printError: console.error,
});
