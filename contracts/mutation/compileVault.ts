import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, { readonly evm: Evm }>>>>;
}
interface Evm {
  readonly bytecode?: { readonly object: string };
  readonly deployedBytecode?: { readonly object: string };
}

const nodeRequire = createRequire(import.meta.url);
const solc = nodeRequire('solc') as { compile(input: string, callbacks: object): string };

/** Where the tests find the linked library; any address nothing else uses. */
export const rulesAddress = '0x00000000000000000000000000000000000f1E1D';

/** The vault's creation code linked to `rulesAddress`, and the library's code to put there. */
export interface VaultCode {
  readonly vault: string;
  readonly rules: string;
}

/**
 * Compiles the vault of a folder with the settings that ship, without metadata, so that equal code is equal bytes.
 *
 * @returns undefined when it does not compile.
 */
export function compileVault(root: string): VaultCode | undefined {
  const input = {
    language: 'Solidity',
    sources: { 'src/Vault.sol': { content: readFileSync(join(root, 'src/Vault.sol'), 'utf8') } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      viaIR: true,
      evmVersion: 'cancun',
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: {
        'src/Vault.sol': { Vault: ['evm.bytecode.object'] },
        'src/OrderRules.sol': { OrderRules: ['evm.deployedBytecode.object'] },
      },
    },
  };
  const find = (path: string) => {
    const found = [join(root, path), join(root, 'node_modules', path)].find((candidate) => existsSync(candidate));
    return found === undefined ? { error: `no ${path}` } : { contents: readFileSync(found, 'utf8') };
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: find })) as Output;
  const vault = output.contracts?.['src/Vault.sol']?.['Vault']?.evm.bytecode?.object;
  const rules = output.contracts?.['src/OrderRules.sol']?.['OrderRules']?.evm.deployedBytecode?.object;
  if (vault === undefined || vault === '' || rules === undefined || rules === '') return undefined;
  return { vault: `0x${vault.replace(/__\$.{34}\$__/g, rulesAddress.slice(2))}`, rules: `0x${rules}` };
}
