import { parseArgs } from 'node:util';
import { judge } from './rules.ts';
import { areaOf, readRepository } from './workspace.ts';

/** `--package apps/keeper` prints the offences of one package, of `docs`, or (as `.`) of the other files. */
const { package: area } = parseArgs({ options: { package: { type: 'string' } } }).values;

const files = readRepository();
const rules = judge(files);
const print = (text: string): void => void process.stdout.write(`${text}\n`);

let count = 0;
for (const { name, offences } of rules) {
  for (const { where, what } of offences.filter((offence) => area === undefined || areaOf(offence.where) === area)) {
    print(`${name}: ${where}: ${what}`);
    count += 1;
  }
}
print(
  `tidy: ${files.length} files, ${rules.length} rules, ${count} offences${area === undefined ? '' : ` in ${area}`}`,
);
process.exitCode = count === 0 ? 0 : 1;
