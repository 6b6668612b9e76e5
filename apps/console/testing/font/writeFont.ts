import { writeFileSync } from 'node:fs';
import { fontFiles } from './fontFiles.ts';

for (const [file, bytes] of await fontFiles()) writeFileSync(new URL(`../../web/${file}`, import.meta.url), bytes);
