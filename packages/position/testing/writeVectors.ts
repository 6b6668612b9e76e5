import { writeFileSync } from 'node:fs';
import { vectorsText } from '@core/pricing/testing/vectors.ts';
import { buildVectors } from './vectors.ts';

writeFileSync(new URL('position.vectors.json', import.meta.url), vectorsText(buildVectors()));
