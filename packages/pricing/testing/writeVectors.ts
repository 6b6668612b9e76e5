import { writeFileSync } from 'node:fs';
import { vectorsText } from './vectors.ts';

writeFileSync(new URL('pricing.vectors.json', import.meta.url), vectorsText());
