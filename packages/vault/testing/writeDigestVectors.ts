import { writeFileSync } from 'node:fs';
import { digestVectors } from './digestVectors.ts';

// Run by hand when the signed tuple changes: the Solidity parity test reads the same file.
const file = new URL('digest.vectors.json', import.meta.url);
writeFileSync(file, `${JSON.stringify({ vectors: await digestVectors() }, null, 2)}\n`);
