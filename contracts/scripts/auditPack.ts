import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { explanationOf, staleExplanations } from '../mutation/explained.ts';
import { mutantsOfFolder } from '../mutation/mutantsOf.ts';
import { readReport, reportOf } from '../mutation/report.ts';
import { intensity } from '../mutation/workspace.ts';

/**
 * Writes what an auditor compares first into docs/audit: the storage layout (storageLayout.json), the gas and size
 * tables (figures.md) and the last mutation run (mutation.md). With `--check` it writes nothing and exits non-zero when
 * a file would change, a transaction or a contract is above its bar, or an explained survivor exists no more. Run after `hardhat build`; gas comes from
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

interface GasBar {
  /** The most a transaction may take; a snapshot above it fails. */
  readonly bar?: number;
  /** What a prototype took, where the design sets no bar. */
  readonly prototype?: number;
  readonly anchor?: string;
}

/** Bars and prototype of the protocol's design, and published figures of comparable steps, in gas. */
const gasBars: Readonly<Record<string, GasBar>> = {
  createPosition: {
    bar: 170_000,
    anchor: 'signed order of an intent exchange: 144,949; limit order of a perpetuals exchange: 3 to 4 million',
  },
  registerOutcome: { bar: 130_000 },
  'authorizeOrder open': { bar: 255_000 },
  'finalize open': { bar: 120_000, anchor: 'borrow of a lending market: 114,615' },
  'authorizeOrder close': { bar: 125_000 },
  'authorizeOrder close part': { bar: 125_000 },
  'authorizeOrder unwind': { bar: 125_000 },
  'authorizeOrder liquidate': { bar: 125_000 },
  'finalize close': { bar: 145_000 },
  'finalize close part': { bar: 145_000 },
  'finalize unwind': { bar: 145_000 },
  'finalize liquidate': { bar: 145_000, anchor: 'liquidation of a lending market: 124,293' },
  'settle won': { bar: 175_000 },
  'settle lost': { bar: 175_000 },
  'settle void': { bar: 175_000 },
  requestClose: { prototype: 54_383 },
  exitByRepaying: { prototype: 128_000 },
  addMargin: { prototype: 82_000 },
  claim: { prototype: 50_000 },
  'matchOrders open (venue)': { prototype: 255_000, anchor: "match of the real venue's exchange: 134,594" },
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

/** Gas of each measured transaction, decimal text. */
function gasSnapshot(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(contractsFolder, 'snapshots', 'transactions.json'), 'utf8'));
}

function figuresOf(sizes: Readonly<Record<string, number>>): string {
  const gas = Object.entries(gasSnapshot()).toSorted(([a], [b]) => a.localeCompare(b));
  const shown = (figure: number | undefined) => figure?.toLocaleString('en-US') ?? '';
  const gasRows = gas.map(([name, used]) => {
    const { bar, prototype, anchor = '' } = gasBars[name] ?? {};
    return `| ${name} | ${shown(Number(used))} | ${shown(bar)} | ${shown(prototype)} | ${anchor} |`;
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
    'Measured with the shipped settings, each transaction by itself, on the first position of an outcome, its user holding',
    'USDC unless the row says otherwise: the first unit an address holds costs about 17,100 more, which no bar counts.',
    '',
    '| transaction | gas | bar | prototype | published figure of a comparable step |',
    '|---|---|---|---|---|',
    ...gasRows,
    '',
    'Three calls of users take more than the prototype did, each for a promise it did not keep: `requestClose` refuses parts',
    'and remainders no order could serve, `addMargin` is divided and booked like every other payment, `claim` repays the pool',
    'before the user and hands out tokens that an ending left behind.',
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

/** The last mutation run; nothing is claimed of mutants that were not run. Survivors are explained as of now. */
function mutationText(): string {
  const recorded = readReport(join(contractsFolder, 'mutation', 'latest.json'));
  if (recorded === undefined) throw new Error('no mutation run is on record');
  const report = reportOf(recorded, recorded.verdicts);
  const code = (text: string) => `\`${(text === '' ? '(left out)' : text).replaceAll('|', '\\|')}\``;
  const rows = report.survivors.map(
    (one) =>
      `| ${one.file} | ${one.operator} | ${code(one.before)} | ${code(one.after)} | ${explanationOf(one) ?? 'open'} |`,
  );
  const { fuzzRuns, campaignRuns, campaignDepth } = intensity;
  const { seed, mutantsInAll, judged, killed, survived, explained, sameCode, doesNotCompile } = report;
  return [
    '# Mutation',
    '',
    'Written by `contracts/scripts/auditPack.ts`; do not edit. `pnpm --filter @core/contracts mutate` samples 200 mutants',
    'by seed, compiles each with the shipped settings and runs the Solidity tests on it. Mutants that compile to the same',
    'bytes or not at all are replaced. The score is killed of judged; beside it stands the score without the survivors',
    'that no test can kill, each with its reason below.',
    '',
    `On a mutant the tests search with ${fuzzRuns} fuzz runs and a campaign of ${campaignRuns} by ${campaignDepth}, a small part of what the profile \`deep\``,
    'does: whatever fewer runs kill, more runs kill as well, so the score can only be too low. Under 85 % a run fails.',
    '',
    '| seed | mutants in all | judged | killed | survived | explained | same code | not compiling | score | without explained |',
    '|---|---|---|---|---|---|---|---|---|---|',
    `| ${seed} | ${mutantsInAll} | ${judged} | ${killed} | ${survived} | ${explained} | ${sameCode} | ${doesNotCompile} | ${report.scorePercent} % | ${report.scoreWithoutExplainedPercent} % |`,
    '',
    `Code \`${report.code}\` (SHA-256 of vault and library without metadata).`,
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
  [join(auditFolder, 'mutation.md')]: mutationText(),
};
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
for (const [name, used] of Object.entries(gasSnapshot())) {
  const { bar } = gasBars[name] ?? {};
  if (bar === undefined || Number(used) <= bar) continue;
  process.stderr.write(`${name} takes ${used} gas, more than ${bar}\n`);
  process.exitCode = 1;
}
for (const name of Object.keys(gasBars)) {
  if (gasSnapshot()[name] !== undefined) continue;
  process.stderr.write(`${name} has a bar and was not measured\n`);
  process.exitCode = 1;
}
for (const [name, bytes] of Object.entries(sizes)) {
  if (bytes > runtimeByteLimit) {
    process.stderr.write(`${name} is larger than ${runtimeByteLimit} bytes\n`);
    process.exitCode = 1;
  }
}
