import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Real records of a venue live outside the repository: `SHARED_DATA`, else `../shared/data` beside the checkout. */
const dataFolder = resolve(process.env['SHARED_DATA'] ?? new URL('../../../../shared/data', import.meta.url).pathname);

/** Presence of the real records. Tests on them are in `describe.runIf(hasRecordedData)`. */
export const hasRecordedData = existsSync(resolve(dataFolder, 'venue/markets.json'));

/** Presence of the recorded samples of the wire. */
export const hasRecordedWire = existsSync(resolve(dataFolder, 'wire'));

if (!hasRecordedWire) {
  process.stderr.write(`NOT CHECKED: no recorded wire samples at ${dataFolder}/wire, tests on them do not run\n`);
}

if (!hasRecordedData) {
  process.stderr.write(`NOT CHECKED: no recorded venue data at ${dataFolder}, tests on real records do not run\n`);
}

export const readRecorded = (file: string): string => readFileSync(resolve(dataFolder, file), 'utf8');

export const listRecorded = (folder: string): readonly string[] => readdirSync(resolve(dataFolder, folder));
