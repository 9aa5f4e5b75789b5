import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { disclosures } from './verdict.ts';

/*
 * Vitest's global setup: after all tests, everything that the servers of the run printed, logged and answered is searched
 * for what must not be there, and a find fails the run.
 */

declare module 'vitest' {
  export interface ProvidedContext {
    readonly recordFolder: string;
  }
}

let folder = '';

export function setup({ provide }: TestProject): void {
  folder = mkdtempSync(join(tmpdir(), 'lrs-record-'));
  provide('recordFolder', folder);
}

export function teardown(): void {
  const records = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  rmSync(folder, { recursive: true, force: true });
  const found = disclosures(records);
  if (found.length === 0) return;
  process.exitCode = 1;
  process.stderr.write(`\nServers disclosed what they must not:\n${found.slice(0, 20).join('\n')}\n`);
}
