import { writeFileSync } from 'node:fs';
import { buildAsyncApi } from './buildAsyncApi.ts';

/** Committed document; a test compares it with the tables. */
writeFileSync(new URL('../../asyncapi.json', import.meta.url), `${JSON.stringify(buildAsyncApi(), null, 2)}\n`);
