import { writeFile } from 'node:fs/promises';
import { configurationPage } from '../config/documentation.ts';

await writeFile(new URL('../docs/configuration.md', import.meta.url), configurationPage());
