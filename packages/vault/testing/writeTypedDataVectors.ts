import { writeFileSync } from 'node:fs';
import { attestationVectors } from './typedDataVectors.ts';

// Run by hand when the attestation's type changes: the Solidity parity test reads the same file.
const file = new URL('typedData.vectors.json', import.meta.url);
writeFileSync(file, `${JSON.stringify({ attestations: attestationVectors() }, null, 2)}\n`);
