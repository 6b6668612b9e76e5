import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { explanationOf, staleExplanations } from '../mutation/explained.ts';
import { mutantsOfFolder } from '../mutation/mutantsOf.ts';
import { readReport } from '../mutation/report.ts';

/**
 * Writes what an auditor compares first into docs/audit: the storage layout (storageLayout.json), the gas and size
 * tables (figures.md) and the last mutation run (mutation.md). With `--check` it writes nothing and exits non-zero when
 * a file would change or an explained survivor exists no more. Run after `hardhat build`; gas comes from
 * snapshots/transactions.json, which `hardhat test solidity --snapshot` writes.
 */
interface StorageEntry {
  readonly label: string;
  readonly slot: string;
  readonly offset: number;
  readonly type: string;
}
interface StorageType {
  readonly label: string;
  readonly numberOfBytes: string;
  readonly members?: readonly StorageEntry[];
}
interface StorageLayout {
  readonly storage: readonly StorageEntry[];
  readonly types: Readonly<Record<string, StorageType>> | null;
}

const require = createRequire(import.meta.url);
const solc: { compile(input: string, callbacks: { import(path: string): { contents: string } }): string } =
  require('solc');
const contractsFolder = dirname(import.meta.dirname);
const auditFolder = join(contractsFolder, '..', 'docs', 'audit');
const check = process.argv.includes('--check');
const runtimeByteLimit = 24_576;
const contractNames = ['Vault', 'OrderRules', 'LiquidityPool', 'PositionAccount'];

/** Bars of the protocol's design and published figures of comparable steps, in gas. */
const gasBars: Readonly<Record<string, { readonly bar?: number; readonly anchor?: string }>> = {
  createPosition: { bar: 170_000, anchor: 'signed order of an intent exchange: 144,949' },
  registerOutcome: { bar: 130_000 },
  'authorizeOrder open': { bar: 255_000 },
  'finalize open': { bar: 120_000, anchor: 'borrow of a lending market: 114,615' },
  'authorizeOrder close': { bar: 125_000 },
  'authorizeOrder close part': { bar: 125_000 },
  'authorizeOrder liquidate': { bar: 125_000 },
  'finalize close': { bar: 145_000 },
  'finalize close part': { bar: 145_000 },
  'finalize liquidate': { bar: 145_000, anchor: 'liquidation of a lending market: 124,293' },
  'settle won': { bar: 175_000 },
  'settle lost': { bar: 175_000 },
};

/** The layout of one contract's storage, compiled without generating code. */
function layoutOf(contractName: string): StorageLayout {
  const file = `src/${contractName}.sol`;
  const read = (path: string) =>
    readFileSync(path.startsWith('@') ? require.resolve(path) : join(contractsFolder, path), 'utf8');
  const input = {
    language: 'Solidity',
    sources: { [file]: { content: read(file) } },
    settings: { outputSelection: { [file]: { [contractName]: ['storageLayout'] } } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: (path) => ({ contents: read(path) }) })) as {
    readonly contracts: Record<string, Record<string, { readonly storageLayout: StorageLayout }>>;
  };
  const layout = output.contracts[file]?.[contractName]?.storageLayout;
  if (layout === undefined) throw new Error(`no storage layout of ${contractName}`);
  return layout;
}

/** One line per variable and struct member: slot, byte offset, type, name. */
function linesOf(layout: StorageLayout): readonly string[] {
  const types = layout.types ?? {};
  const lineOf = (entry: StorageEntry) =>
    `slot ${entry.slot} byte ${entry.offset} ${types[entry.type]?.label ?? entry.type} ${entry.label}`;
  const structs = Object.values(types)
    .filter((type) => type.members !== undefined)
    .sort((a, b) => a.label.localeCompare(b.label))
    .flatMap((type) => [
      `${type.label} (${type.numberOfBytes} bytes)`,
      ...(type.members ?? []).map((member) => `  ${lineOf(member)}`),
    ]);
  return [...layout.storage.map(lineOf), ...structs];
}

/** Runtime bytes of a built contract. */
function runtimeBytesOf(contractName: string): number {
  const path = join(contractsFolder, 'artifacts', 'src', `${contractName}.sol`, `${contractName}.json`);
  const artifact = JSON.parse(readFileSync(path, 'utf8')) as { readonly deployedBytecode: string };
  return (artifact.deployedBytecode.length - 2) / 2;
}

/** The last coverage run, as `coverage` wrote it down. */
function coverageRows(): readonly string[] {
  const files = JSON.parse(readFileSync(join(auditFolder, 'coverage.json'), 'utf8')) as Readonly<
    Record<string, { readonly lines: number; readonly linesReached: number; readonly statementsPercent: string }>
  >;
  return Object.entries(files).map(
    ([file, { lines, linesReached, statementsPercent }]) =>
      `| ${file} | ${linesReached} of ${lines} | ${statementsPercent} % |`,
  );
}

function figuresOf(sizes: Readonly<Record<string, number>>): string {
  const snapshot = readFileSync(join(contractsFolder, 'snapshots', 'transactions.json'), 'utf8');
  const gas = Object.entries(JSON.parse(snapshot) as Record<string, string>);
  const gasRows = gas.map(([name, used]) => {
    const { bar, anchor } = gasBars[name] ?? {};
    const barText = bar === undefined ? '' : bar.toLocaleString('en-US');
    return `| ${name} | ${Number(used).toLocaleString('en-US')} | ${barText} | ${anchor ?? ''} |`;
  });
  const sizeRows = Object.entries(sizes).map(
    ([name, bytes]) =>
      `| ${name} | ${bytes.toLocaleString('en-US')} | ${(runtimeByteLimit - bytes).toLocaleString('en-US')} |`,
  );
  return [
    '# Figures',
    '',
    'Written by `contracts/scripts/auditPack.ts`; do not edit.',
    '',
    '## Gas of whole transactions',
    '',
    'Measured with the shipped settings, each transaction by itself, on the first position of an outcome.',
    '',
    '| transaction | gas | bar | published figure of a comparable step |',
    '|---|---|---|---|',
    ...gasRows,
    '',
    '## Runtime size',
    '',
    '| contract | bytes | bytes left |',
    '|---|---|---|',
    ...sizeRows,
    '',
    '## Coverage by the Solidity tests',
    '',
    '`pnpm --filter @core/contracts coverage` measures it; files without statements are left out.',
    '',
    '| file | lines reached | statements reached |',
    '|---|---|---|',
    ...coverageRows(),
    '',
  ].join('\n');
}

/** The last mutation run; nothing is claimed of mutants that were not run. */
function mutationText(): string {
  const report = readReport(join(contractsFolder, 'mutation', 'latest.json'));
  if (report === undefined) throw new Error('no mutation run is on record');
  const code = (text: string) => `\`${(text === '' ? '(left out)' : text).replaceAll('|', '\\|')}\``;
  const rows = report.survivors.map(
    (one) =>
      `| ${one.file} | ${one.operator} | ${code(one.before)} | ${code(one.after)} | ${explanationOf(one) ?? 'open'} |`,
  );
  const { seed, mutantsInAll, judged, killed, survived, explained, sameCode, doesNotCompile } = report;
  return [
    '# Mutation',
    '',
    'Written by `contracts/scripts/auditPack.ts`; do not edit. `pnpm --filter @core/contracts mutate` samples 200 mutants',
    'by seed, compiles each with the shipped settings and runs the Solidity tests on it. Mutants that compile to the same',
    'bytes or not at all are replaced. The score is killed of judged; beside it stands the score without the survivors',
    'that no test can kill, each with its reason below.',
    '',
    '| seed | mutants in all | judged | killed | survived | explained | same code | not compiling | score | without explained |',
    '|---|---|---|---|---|---|---|---|---|---|',
    `| ${seed} | ${mutantsInAll} | ${judged} | ${killed} | ${survived} | ${explained} | ${sameCode} | ${doesNotCompile} | ${report.scorePercent} % | ${report.scoreWithoutExplainedPercent} % |`,
    '',
    '## Survivors',
    '',
    '| file | operator | before | after | why |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const sizes = Object.fromEntries(contractNames.map((name) => [name, runtimeBytesOf(name)]));
const layouts = Object.fromEntries(
  ['Vault', 'LiquidityPool', 'PositionAccount'].map((name) => [name, linesOf(layoutOf(name))]),
);
const files: Readonly<Record<string, string>> = {
  [join(auditFolder, 'storageLayout.json')]: `${JSON.stringify(layouts, null, 2)}\n`,
  [join(auditFolder, 'figures.md')]: figuresOf(sizes),
};
// A record of a long run, not something the sources alone decide: written, never checked.
if (!check) writeFileSync(join(auditFolder, 'mutation.md'), mutationText());
for (const [path, text] of Object.entries(files)) {
  if (!check) {
    writeFileSync(path, text);
  } else if (readFileSync(path, 'utf8') !== text) {
    process.stderr.write(`${path} is out of date\n`);
    process.exitCode = 1;
  }
}
for (const { file, after } of staleExplanations(mutantsOfFolder(join(contractsFolder, 'src')))) {
  process.stderr.write(`mutation/explained.ts explains a mutant that does not exist: ${file} ${after}\n`);
  process.exitCode = 1;
}
for (const [name, bytes] of Object.entries(sizes)) {
  if (bytes > runtimeByteLimit) {
    process.stderr.write(`${name} is larger than ${runtimeByteLimit} bytes\n`);
    process.exitCode = 1;
  }
}
