import { join } from 'node:path';
import { processSource } from '../config/env.ts';
import { build } from './build.mjs';
import { deploy } from './deployment/deploy.ts';

const root = join(import.meta.dirname, '..');

process.exitCode = await deploy({
  argv: process.argv.slice(2),
  env: processSource().env,
  cwd: root,
  program: join(root, 'node_modules/serverless/bin/serverless.js'),
  build,
  print: (line) => console.log(line),
});
