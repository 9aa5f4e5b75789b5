import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { unpackFunctions } from '../emulator/package.ts';
import { builtProjectWith, serverless } from '../support/serverless-project.ts';

const settings = { LRS_DB_TYPE: 'postgres', LRS_DB_HOST: 'db.example.org', LRS_DB_USER: 'lrs' };

/** The files in an archive, from its central directory. */
function filesIn(archive: Buffer): string[] {
  const signature = Buffer.from('PK\x01\x02', 'latin1');
  const files: string[] = [];
  for (let at = archive.indexOf(signature); at >= 0; at = archive.indexOf(signature, at + 46)) {
    files.push(archive.toString('utf8', at + 46, at + 46 + archive.readUInt16LE(at + 28)));
  }
  return files;
}

it('the emulator runs the files that a deployment packs, with the same settings', async () => {
  const project = builtProjectWith();
  expect(serverless(['package'], project, settings).status).toBe(0);
  const packed = filesIn(readFileSync(join(project, '.serverless/serverless-lrs.zip')));
  const { directory, remove } = unpackFunctions({ LRS_URL_PREFIX: '/xapi', ...settings });
  onTestFinished(remove);
  const unpacked = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(directory.length + 1));
  const isCode = (file: string) => file.startsWith('dist/');
  expect(unpacked.toSorted()).toEqual(packed.filter(isCode).toSorted());
  const [checked, made] = [join(project, 'dist/settings.json'), join(directory, 'dist/settings.json')].map(
    (file) => JSON.parse(readFileSync(file, 'utf8')),
  );
  expect(made).toEqual(checked);
});
