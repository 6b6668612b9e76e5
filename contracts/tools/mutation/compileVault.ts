import { getAddress, type Hex, keccak256, toHex } from 'viem';
import { shippedSettings } from '../../local/compilation/compiler.ts';
import { recordOf } from '../../local/recordOf.ts';
import { type VaultLibraries, vaultLibraryNames } from '../../local/vaultLibraries.ts';
import { compileSolidity } from '../project/compileSolidity.ts';
import { reaches } from './imports.ts';
import { switchLibrary } from './switches.ts';
import { changesVault, sourceOf, vaultSource } from './vaultSources.ts';

type LibraryName = keyof VaultLibraries;

/** Return an address with the checksum that Solidity wants. */
const addressOf = (number: bigint) => getAddress(toHex(number, { size: 20 }));

/** Addresses of the linked libraries in tests; any that are otherwise unused. */
export const libraryAddresses: VaultLibraries = {
  FillRoute: addressOf(0xf1e1cn),
  OrderRules: addressOf(0xf1e1dn),
  OutcomeRules: addressOf(0xf1e1bn),
  Settlement: addressOf(0xf1e1en),
  VaultParts: addressOf(0xf1e1fn),
};

/** The vault's creation code linked to `libraryAddresses`, and the libraries' code to put there. */
export interface VaultCode {
  readonly vault: string;
  readonly libraries: Readonly<Record<LibraryName, string>>;
}

/** Changes of one source, by its path from the root, and the code without them. */
interface Change {
  readonly path: string;
  readonly lines: readonly number[];
  readonly original: VaultCode;
}

/**
 * Compiles the vault of a folder with the settings that ship, without metadata, so that equal code is equal bytes.
 *
 * @param change What is not reached by it is not compiled again, which saves most of the time.
 * @returns undefined when it does not compile.
 */
export function compileVault(root: string, change?: Change): VaultCode | undefined {
  const isVaultKept =
    change !== undefined && change.lines.every((line) => !changesVault(root, { path: change.path, line }));
  const isKept = (name: LibraryName) => change !== undefined && !reaches(root, [sourceOf(name), change.path]);
  const compiled = vaultLibraryNames.filter((name) => !isKept(name));
  const [only, ...others] = compiled;
  const { contracts } = compileSolidity({
    root,
    source: isVaultKept && only !== undefined && others.length === 0 ? sourceOf(only) : vaultSource,
    settings: {
      ...shippedSettings,
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: {
        ...(isVaultKept ? {} : { [vaultSource]: { Vault: ['evm.bytecode.object'] } }),
        ...Object.fromEntries(
          compiled.map((name) => [sourceOf(name), { [name]: ['evm.deployedBytecode.object'] }] as const),
        ),
      },
    },
  });
  const vault = contracts?.[vaultSource]?.['Vault']?.evm?.bytecode?.object ?? '';
  const libraries = recordOf(vaultLibraryNames, (name) => {
    const built = contracts?.[sourceOf(name)]?.[name]?.evm?.deployedBytecode?.object ?? '';
    return change !== undefined && isKept(name) ? change.original.libraries[name] : `0x${built}`;
  });
  if ((vault === '' && !isVaultKept) || Object.values(libraries).includes('0x')) return undefined;
  return {
    vault: isVaultKept ? change.original.vault : `0x${linked(vault)}`,
    libraries,
  };
}

/** Return true for a well-formed source. No code is generated, which takes a moment instead of many seconds. */
export function isWellFormed(root: string, path: string): boolean {
  const { errors = [] } = compileSolidity({ root, source: path, settings: { outputSelection: {} } });
  return errors.every(({ severity }) => severity !== 'error');
}

/** Code compiled with switches, with one of them on; none at 0. */
export function withSwitchOn({ vault, libraries }: VaultCode, on: number): VaultCode {
  const gap = gapOf(`${switchLibrary.path}:${switchLibrary.name}`);
  const address = on.toString(16).padStart(40, '0');
  return {
    vault: vault.replaceAll(gap, address),
    libraries: recordOf(vaultLibraryNames, (name) => libraries[name].replaceAll(gap, address)),
  };
}

/** Creation code with an address in each gap that the compiler left for a library of the vault. */
function linked(code: string): string {
  return vaultLibraryNames.reduce(
    (text, name) => text.replaceAll(gapOf(`${sourceOf(name)}:${name}`), libraryAddresses[name].slice(2)),
    code,
  );
}

/** The compiler's gap of 40 characters: 34 digits of the hash of a library's full name between marks. */
function gapOf(fullName: string): string {
  const hash: Hex = keccak256(toHex(fullName));
  return `__$${hash.slice(2, 36)}$__`;
}
