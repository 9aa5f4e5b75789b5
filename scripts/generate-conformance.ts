import { writeFile } from 'node:fs/promises';
import { conformancePage } from '../tests/conformance/page.ts';

await writeFile(new URL('../docs/conformance.md', import.meta.url), conformancePage());
