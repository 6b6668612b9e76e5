import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Address, type Hex, pad, size, slice, toHex } from 'viem';
import { contractsRoot } from '../../local/contractsRoot.ts';

interface Place {
  readonly start: number;
  readonly length: number;
}
type LinkReferences = Readonly<Record<string, Readonly<Record<string, readonly Place[]>>>>;

interface CompiledContract {
  readonly deployedBytecode: string;
  readonly linkReferences: LinkReferences;
  readonly deployedLinkReferences: LinkReferences;
  readonly immutableReferences?: Readonly<Record<string, readonly Place[]>>;
  readonly buildInfoId: string;
}

const nodeRequire = createRequire(import.meta.url);

/** What the compiler calls the address that a library remembers of its deployment. */
const libraryAddress = 'library_deploy_address';

/** What fills the gaps of compiled code: immutables by their name in the source, libraries by their contract's name. */
export interface CodeGaps {
  readonly immutables?: Readonly<Record<string, Address | bigint>>;
  readonly libraries?: Readonly<Record<string, Address>>;
}

/**
 * The code a contract of this project has once it is deployed with these immutables and libraries, byte for byte,
 * metadata included.
 *
 * @param source File of the contract, from the project's root, such as `src/Vault.sol`.
 * @throws Error when an immutable or a library of the contract is not given, or the project is not built.
 */
export function runtimeCodeOf(source: string, name: string, gaps: CodeGaps = {}): Hex {
  const compiled = JSON.parse(
    readFileSync(join(contractsRoot, 'artifacts', source, `${name}.json`), 'utf8'),
  ) as CompiledContract;
  let text = compiled.deployedBytecode;
  for (const references of Object.values(compiled.deployedLinkReferences)) {
    for (const [library, places] of Object.entries(references)) {
      text = filled(text, places, required(gaps.libraries?.[library], `${name} links ${library}`));
    }
  }
  const references = Object.entries(compiled.immutableReferences ?? {});
  if (references.length === 0) return text as Hex;
  const names = immutableNamesOf(compiled.buildInfoId);
  for (const [id, places] of references) {
    const immutable = id === libraryAddress ? id : required(names.get(Number(id)), `${name} has an unnamed immutable`);
    const value = required(gaps.immutables?.[immutable], `${name} has the immutable ${immutable}`);
    text = filled(text, places, typeof value === 'bigint' ? toHex(value, { size: 32 }) : pad(value));
  }
  return text as Hex;
}

/** The code of a library of this project at an address, which code that changes storage carries as an immutable. */
export function libraryCodeOf(name: string, address: Address): Hex {
  return runtimeCodeOf(`src/${name}.sol`, name, { immutables: { [libraryAddress]: address } });
}

/** The published code of OpenZeppelin's timelock. It has no immutables. */
export function timelockRuntimeCode(): Hex {
  return (JSON.parse(readFileSync(timelockArtifactPath(), 'utf8')) as CompiledContract).deployedBytecode as Hex;
}

/** Where the npm package keeps the timelock as its authors compiled it. */
export function timelockArtifactPath(): string {
  return nodeRequire.resolve('@openzeppelin/contracts/build/contracts/TimelockController.json');
}

/** The address linked into code, deployed or creating, read from its first place. */
export function linkedLibraryOf(
  source: string,
  name: string,
  found: { readonly library: string; readonly code: Hex; readonly isCreation?: boolean },
): Address | null {
  const compiled = JSON.parse(
    readFileSync(join(contractsRoot, 'artifacts', source, `${name}.json`), 'utf8'),
  ) as CompiledContract;
  const links = found.isCreation === true ? compiled.linkReferences : compiled.deployedLinkReferences;
  for (const references of Object.values(links)) {
    const [place] = references[found.library] ?? [];
    if (place !== undefined && size(found.code) >= place.start + place.length) {
      return slice(found.code, place.start, place.start + place.length);
    }
  }
  return null;
}

function filled(text: string, places: readonly Place[], value: Hex): string {
  let result = text;
  for (const { start, length } of places) {
    const from = 2 + 2 * start;
    result = result.slice(0, from) + value.slice(2).toLowerCase() + result.slice(from + 2 * length);
  }
  return result;
}

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`${what}, which is not given`);
  return value;
}

const namesByBuild = new Map<string, ReadonlyMap<number, string>>();

/** Name of each state variable by its node in the compiler's tree: code refers to immutables by that number. */
function immutableNamesOf(buildInfoId: string): ReadonlyMap<number, string> {
  const known = namesByBuild.get(buildInfoId);
  if (known !== undefined) return known;
  const path = join(contractsRoot, 'artifacts', 'build-info', `${buildInfoId}.output.json`);
  if (!existsSync(path)) throw new Error('the contracts are not built');
  const build = JSON.parse(readFileSync(path, 'utf8')) as { output: { sources: Record<string, { ast: unknown }> } };
  const names = new Map<number, string>();
  for (const { ast } of Object.values(build.output.sources)) collectNames(ast, names);
  namesByBuild.set(buildInfoId, names);
  return names;
}

function collectNames(node: unknown, names: Map<number, string>): void {
  if (typeof node !== 'object' || node === null) return;
  if ('nodes' in node && Array.isArray(node.nodes)) for (const child of node.nodes) collectNames(child, names);
  if (!('mutability' in node && node.mutability === 'immutable')) return;
  if ('id' in node && typeof node.id === 'number' && 'name' in node && typeof node.name === 'string') {
    names.set(node.id, node.name);
  }
}
