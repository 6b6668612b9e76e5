import { writeFileSync } from 'node:fs';
import { buildOpenApi } from './buildOpenApi.ts';

/** Committed document; a test compares it with the tables. */
writeFileSync(new URL('../../openapi.json', import.meta.url), `${JSON.stringify(buildOpenApi(), null, 2)}\n`);
