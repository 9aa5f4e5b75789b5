import { writeFile } from 'node:fs/promises';
import { errorPage } from '../lib/openapi/error-page.ts';

await writeFile(new URL('../docs/errors.md', import.meta.url), errorPage());
