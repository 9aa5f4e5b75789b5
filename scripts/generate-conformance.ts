import { readFile, writeFile } from 'node:fs/promises';
import { withDifferences } from '../tests/conformance/lrsql-reactions/facts.ts';
import { conformancePage } from '../tests/conformance/page.ts';

await writeFile(new URL('../docs/conformance.md', import.meta.url), conformancePage());
const reactions = new URL('../docs/reactions.md', import.meta.url);
await writeFile(reactions, withDifferences(await readFile(reactions, 'utf8')));
