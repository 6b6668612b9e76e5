import { readFileSync } from 'node:fs';
import subsetFont from 'subset-font';

const original = new URL(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'));
const license = new URL(import.meta.resolve('@fontsource-variable/inter/LICENSE'));

/** Characters of English text and of figures. Browsers take any other one from a font of the system. */
const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');
const characters = `${printable}–−×¢…·’“”`;

/** No other character, no weight that no style uses, no kerning: a quarter of the original. */
const options = {
  targetFormat: 'woff2' as const,
  variationAxes: { wght: { min: 400, max: 700 } },
  keepFeatures: ['tnum'],
  noHinting: true,
  dropTables: ['STAT', 'gasp', 'GDEF', 'BASE'],
  // Copyright, license and its address.
  preserveNameIds: [0, 13, 14],
};

/** Build the font of the pages and its license, by path below `web`. */
export async function fontFiles(): Promise<ReadonlyMap<string, Buffer>> {
  return new Map([
    ['src/font/inter.woff2', await subsetFont(readFileSync(original), characters, options)],
    ['public/inter-license.txt', readFileSync(license)],
  ]);
}
