import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from '../tidy/workspace.ts';

/** Module and content of each file of `abi`. */
const plainFiles: Readonly<Record<string, readonly [module: string, name: string]>> = {
  'Vault.json': ['vaultAbi', 'vaultAbi'],
  'OrderRules.json': ['orderRulesAbi', 'orderRulesAbi'],
  'LiquidityPool.json': ['liquidityPoolAbi', 'liquidityPoolAbi'],
  'PairFiller.json': ['pairFillerAbi', 'pairFillerAbi'],
  'PositionAccount.json': ['positionAccountAbi', 'positionAccountAbi'],
  'errors.json': ['revertErrors', 'revertErrors'],
};

const interfaces = join(repositoryRoot, 'contracts/src/interfaces');

/**
 * Write ABIs and errors as JSON and the interfaces of the contracts as Solidity, for other languages. Only a package
 * with the ABIs has them.
 *
 * @returns The folders written beside the code.
 */
export async function writeContractFiles(target: string): Promise<readonly string[]> {
  const generated = join(target, 'generated');
  if (!existsSync(join(generated, 'vaultAbi.js'))) return [];
  mkdirSync(join(target, 'abi'));
  for (const [file, [module, name]] of Object.entries(plainFiles)) {
    const exported: Readonly<Record<string, unknown>> = await import(
      pathToFileURL(join(generated, `${module}.js`)).href
    );
    if (exported[name] === undefined) throw new Error(`${module} exports no ${name}`);
    writeFileSync(join(target, 'abi', file), `${JSON.stringify(exported[name], null, 2)}\n`);
  }
  cpSync(interfaces, join(target, 'solidity'), { recursive: true });
  return ['abi', 'solidity'];
}
