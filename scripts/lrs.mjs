#!/usr/bin/env node
import { asksForUsage, wrongCommandLine } from './command-line.mjs';
import { ensureInstalled } from './installed.mjs';
import { programs, readCommand, UsageError, usage } from './lrs-arguments.mjs';
import { ensureDriverFor } from './sqlite-driver.mjs';

// `npm run lrs` and `serverless-lrs`: makes what a fresh clone lacks, then the bundle takes over this process.
const [command = ''] = process.argv.slice(2);
if (programs.includes(command)) {
  // Only these two read their own name.
  if (command !== 'backup' && command !== 'restore') process.argv.splice(2, 1);
  await import(`./${command === 'restore' ? 'backup' : command}.mjs`);
} else if (command === 'help' || asksForUsage(process.argv)) {
  console.log(usage);
} else {
  const { settings } = checkedCommand();
  await ensureInstalled('to start');
  await ensureDriverFor({ ...process.env, ...settings });
  const { build } = await import('./build.mjs');
  await build();
  await import('../dist/lrs.mjs');
}

/** A mistake is reported before the minutes that an installation may take. */
function checkedCommand() {
  try {
    return readCommand(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    process.exit(wrongCommandLine);
  }
}
