import { writeFileSync } from 'node:fs';
import { buildVectors, vectorsText } from './vectors.ts';

writeFileSync(new URL('pricing.vectors.json', import.meta.url), vectorsText(buildVectors()));
