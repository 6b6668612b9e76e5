import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileContracts } from '../../local/compilation/compileContracts.ts';
import { readCompiled } from '../../local/compilation/compiledContract.ts';
import { contractsRoot } from '../../local/contractsRoot.ts';
import { vaultLibraryNames } from '../../local/vaultLibraries.ts';
import { stampOfCheckout } from '../project/runStamp.ts';
import { campaignCounts } from './campaign.ts';
import { figuresPage, maxRuntimeBytes } from './figuresPage.ts';
import { brokenGasBars } from './gasBars.ts';
import { longRunRows } from './longRuns.ts';
import { storageLayouts, storagePage } from './storageLayout.ts';

/**
 * Writes what an auditor compares first into docs/audit: storage layout (storage.md), gas, sizes, what the campaign
 * draws from and the state of the long runs (figures.md). With `--check` it writes nothing. Either way it exits
 * non-zero when a transaction or a contract is above its bar, and with `--check` also when a page would change. It
 * reads the shipped build and snapshots/transactions.json, which the script `figures` writes.
 */
const auditFolder = join(contractsRoot, '..', 'docs', 'audit');
const isCheck = process.argv.includes('--check');
const contractNames = ['Vault', ...vaultLibraryNames, 'LiquidityPool', 'PositionAccount', 'PairFiller'] as const;

/** Return the bytes of a contract's deployed code. */
function runtimeBytesOf(contractName: (typeof contractNames)[number]): number {
  return (readCompiled(contractName).deployedBytecode.length - 2) / 2;
}

function complain(what: string): void {
  process.stderr.write(`${what}\n`);
  process.exitCode = 1;
}

await compileContracts();
const textOf = (page: string) => readFileSync(join(auditFolder, page), 'utf8');
const sizes = Object.fromEntries(contractNames.map((name) => [name, runtimeBytesOf(name)]));
const snapshot = join(contractsRoot, 'snapshots', 'transactions.json');
const gas: Readonly<Record<string, string>> = JSON.parse(readFileSync(snapshot, 'utf8'));
const now = stampOfCheckout();
const pages: Readonly<Record<string, string>> = {
  'storage.md': storagePage(storageLayouts()),
  'figures.md': figuresPage({
    gas,
    sizes,
    campaign: campaignCounts(),
    stamp: now,
    longRunRows: longRunRows(textOf, now),
  }),
};
for (const [page, text] of Object.entries(pages)) {
  if (!isCheck) writeFileSync(join(auditFolder, page), text);
  else if (textOf(page) !== text) complain(`docs/audit/${page} is out of date; run the script figures`);
}
for (const broken of brokenGasBars(gas)) complain(broken);
for (const [name, bytes] of Object.entries(sizes)) {
  if (bytes > maxRuntimeBytes) complain(`${name} is larger than ${maxRuntimeBytes} bytes`);
}
