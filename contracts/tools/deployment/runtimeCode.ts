import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Address, type Hex, isHex, pad, size, slice, toHex } from 'viem';
import { type CompiledName, readCompiled } from '../../local/compilation/compiledContract.ts';
import { filledCode } from '../../local/compilation/filledCode.ts';
import type { VaultLibraries } from '../../local/vaultLibraries.ts';

const nodeRequire = createRequire(import.meta.url);

/** The compiler's name for the address that a library remembers of its deployment. */
const libraryAddress = 'library_deploy_address';

/** Values for the gaps of compiled code: immutables by their name in the source, libraries by their contract's name. */
export interface CodeValues {
  readonly immutables?: Readonly<Record<string, Address | bigint>>;
  readonly libraries?: Readonly<Record<string, Address>>;
}

/**
 * Return the code a contract of this project has once it is deployed with these immutables and libraries, byte for
 * byte, metadata included.
 *
 * @throws Error when an immutable or a library of the contract is not given.
 */
export function runtimeCodeOf(name: CompiledName, values: CodeValues = {}): Hex {
  const { deployedBytecode, deployedLibraries, immutables } = readCompiled(name);
  let code = deployedBytecode;
  for (const [library, gaps] of Object.entries(deployedLibraries)) {
    code = filledCode(code, gaps, required(values.libraries?.[library], `${name} links ${library}`));
  }
  for (const [immutable, gaps] of Object.entries(immutables)) {
    const value = required(values.immutables?.[immutable], `${name} has the immutable ${immutable}`);
    code = filledCode(code, gaps, typeof value === 'bigint' ? toHex(value, { size: 32 }) : pad(value));
  }
  return hexIn(code, name);
}

/** Return the code of a library of the vault at an address, which code that changes storage has as an immutable. */
export function libraryCodeOf(name: keyof VaultLibraries, address: Address): Hex {
  return runtimeCodeOf(name, { immutables: { [libraryAddress]: address } });
}

/** Return the published code of OpenZeppelin's timelock. It has no immutables. */
export function timelockRuntimeCode(): Hex {
  const path = timelockArtifactPath();
  const published: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return hexIn(Object(published).deployedBytecode, path);
}

/** Return the file of the npm package with the timelock as its authors compiled it. */
export function timelockArtifactPath(): string {
  return nodeRequire.resolve('@openzeppelin/contracts/build/contracts/TimelockController.json');
}

/** Read the address of a linked library from its first gap in code; null where the code is shorter. */
export function linkedLibraryOf(
  name: CompiledName,
  {
    library,
    code,
    isCreation = false,
  }: { readonly library: string; readonly code: Hex; readonly isCreation?: boolean },
): Address | null {
  const compiled = readCompiled(name);
  const [gap] = (isCreation ? compiled.libraries : compiled.deployedLibraries)[library] ?? [];
  if (gap === undefined || size(code) < gap.start + gap.length) return null;
  return slice(code, gap.start, gap.start + gap.length);
}

/** @throws Error for anything but hexadecimal text: code with a gap, no code. */
function hexIn(value: unknown, name: string): Hex {
  if (!isHex(value)) throw new Error(`${name} has no complete code`);
  return value;
}

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`${what}, which is not given`);
  return value;
}
