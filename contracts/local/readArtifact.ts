import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Abi, Address, Hex } from 'viem';
import { contractsRoot } from './contractsRoot.ts';

const nodeRequire = createRequire(import.meta.url);

/** What a compiler left of a contract. */
export interface Artifact {
  readonly abi: Abi;
  /** Creation code, libraries already linked. */
  readonly bytecode: Hex;
}

/**
 * Reads a compiled contract of this project.
 *
 * @param source File of the contract, from the project's root, such as `src/Vault.sol`.
 * @param libraries Address per library name for code that links them.
 * @throws Error when the contract links a library that is not given.
 */
export function readArtifact(
  source: string,
  name: string,
  libraries: Readonly<Record<string, Address>> = {},
): Artifact {
  const parsed = JSON.parse(readFileSync(join(contractsRoot, 'artifacts', source, `${name}.json`), 'utf8')) as {
    abi: Abi;
    bytecode: Hex;
    linkReferences: Record<string, Record<string, { start: number; length: number }[]>>;
  };
  let bytecode = parsed.bytecode;
  for (const references of Object.values(parsed.linkReferences)) {
    for (const [library, places] of Object.entries(references)) {
      const address = libraries[library];
      if (address === undefined) throw new Error(`${name} links ${library}, whose address is not given`);
      for (const { start, length } of places) {
        const from = 2 + 2 * start;
        bytecode = `${bytecode.slice(0, from)}${address.slice(2)}${bytecode.slice(from + 2 * length)}` as Hex;
      }
    }
  }
  return { abi: parsed.abi, bytecode };
}

/** The real ConditionalTokens as its authors published it. */
export function conditionalTokensArtifact(): Artifact {
  const path = nodeRequire.resolve('@gnosis.pm/conditional-tokens-contracts/build/contracts/ConditionalTokens.json');
  return JSON.parse(readFileSync(path, 'utf8')) as Artifact;
}
