import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Abi, type Address, type Hex, isHex } from 'viem';
import { type CompiledName, readCompiled } from './compiledContract.ts';
import { filledCode } from './filledCode.ts';

const require = createRequire(import.meta.url);

/** Interface and creation code of a contract. */
export interface Artifact {
  readonly abi: Abi;
  /** Creation code, libraries already linked. */
  readonly bytecode: Hex;
}

/**
 * Read a compiled contract of this project.
 *
 * @param libraries Address per library name for code that links them.
 * @throws Error when the contract links a library that is not given.
 */
export function readArtifact(name: CompiledName, libraries: Readonly<Record<string, Address>> = {}): Artifact {
  const { abi, bytecode, libraries: gaps } = readCompiled(name);
  let code = bytecode;
  for (const [library, places] of Object.entries(gaps)) {
    const address = libraries[library];
    if (address === undefined) throw new Error(`${name} links ${library}, whose address is not given`);
    code = filledCode(code, places, address);
  }
  return artifactOf(name, { abi, bytecode: code });
}

/** Read the real ConditionalTokens as its authors published it. */
export function conditionalTokensArtifact(): Artifact {
  const path = require.resolve('@gnosis.pm/conditional-tokens-contracts/build/contracts/ConditionalTokens.json');
  return readPublished(path);
}

/** Read a contract as its authors published it. @throws Error for a file that is no artifact. */
export function readPublished(path: string): Artifact {
  const file: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return artifactOf(path, Object(file));
}

/** @throws Error for an interface or code of another form, such as code with a gap. */
function artifactOf(
  name: string,
  { abi, bytecode }: { readonly abi?: unknown; readonly bytecode?: unknown },
): Artifact {
  if (!isAbi(abi) || !isHex(bytecode)) throw new Error(`${name} has no interface and creation code`);
  return { abi, bytecode };
}

/** Compilers alone write interfaces: nothing else is a list of entries with a type. */
function isAbi(value: unknown): value is Abi {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'object' && entry !== null && 'type' in entry);
}
