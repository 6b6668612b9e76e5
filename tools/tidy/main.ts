import { parseArgs } from 'node:util';
import { judge } from './rules.ts';
import { areaOf, readRepository } from './workspace.ts';

/** `--room apps/keeper` prints every offence of one room, of `docs`, or (as `.`) of the files beside the rooms. */
const { room } = parseArgs({ options: { room: { type: 'string' } } }).values;

const files = readRepository();
const rules = judge(files);
const print = (text: string): void => void process.stdout.write(`${text}\n`);

let count = 0;
for (const { name, offences } of rules) {
  for (const { where, what } of offences.filter((offence) => room === undefined || areaOf(offence.where) === room)) {
    print(`${name}: ${where}: ${what}`);
    count += 1;
  }
}
print(
  `tidy: ${files.length} files, ${rules.length} rules, ${count} offences${room === undefined ? '' : ` in ${room}`}`,
);
process.exitCode = count === 0 ? 0 : 1;
