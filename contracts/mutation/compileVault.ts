import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { reaches } from './imports.ts';

interface Output {
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, { readonly evm: Evm }>>>>;
}
interface Evm {
  readonly bytecode?: { readonly object: string };
  readonly deployedBytecode?: { readonly object: string };
}

const nodeRequire = createRequire(import.meta.url);
const solc = nodeRequire('solc') as { compile(input: string, callbacks: object): string };
const vaultSource = 'src/Vault.sol';
const rulesSource = 'src/OrderRules.sol';

/** Where the tests find the linked library; any address nothing else uses. */
export const rulesAddress = '0x00000000000000000000000000000000000f1E1D';

/** The vault's creation code linked to `rulesAddress`, and the library's code to put there. */
export interface VaultCode {
  readonly vault: string;
  readonly rules: string;
}

/** SHA-256 of both, hexadecimal: which code a record speaks of. */
export const codeDigestOf = ({ vault, rules }: VaultCode): string =>
  createHash('sha256').update(vault).update(rules).digest('hex');

/**
 * Compiles the vault of a folder with the settings that ship, without metadata, so that equal code is equal bytes.
 *
 * @param change The only changed file and the code without the change: a library that does not import the file is not
 *   compiled again, which saves a fifth of the time.
 * @returns undefined when it does not compile.
 */
export function compileVault(
  root: string,
  change?: { readonly path: string; readonly original: VaultCode },
): VaultCode | undefined {
  const keptRules =
    change !== undefined && !reaches(root, rulesSource, change.path) ? change.original.rules : undefined;
  const input = {
    language: 'Solidity',
    sources: { [vaultSource]: { content: readFileSync(join(root, vaultSource), 'utf8') } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      viaIR: true,
      evmVersion: 'cancun',
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: {
        [vaultSource]: { Vault: ['evm.bytecode.object'] },
        ...(keptRules === undefined && { [rulesSource]: { OrderRules: ['evm.deployedBytecode.object'] } }),
      },
    },
  };
  const find = (path: string) => {
    const found = [join(root, path), join(root, 'node_modules', path)].find((candidate) => existsSync(candidate));
    return found === undefined ? { error: `no ${path}` } : { contents: readFileSync(found, 'utf8') };
  };
  const { contracts } = JSON.parse(solc.compile(JSON.stringify(input), { import: find })) as Output;
  const vault = contracts?.[vaultSource]?.['Vault']?.evm.bytecode?.object ?? '';
  const built = contracts?.[rulesSource]?.['OrderRules']?.evm.deployedBytecode?.object ?? '';
  const rules = keptRules ?? (built === '' ? '' : `0x${built}`);
  if (vault === '' || rules === '') return undefined;
  return { vault: `0x${vault.replace(/__\$.{34}\$__/g, rulesAddress.slice(2))}`, rules };
}
