import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Abi, Hex } from 'viem';
import type { Artifact } from '../local/readArtifact.ts';

interface Compiled {
  readonly abi: Abi;
  readonly evm: { readonly bytecode: { readonly object: string } };
}
interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, Compiled>>>>;
}

const nodeRequire = createRequire(import.meta.url);
const contractsRoot = fileURLToPath(new URL('..', import.meta.url));

/**
 * Compiles one contract of the Solidity tests with the compiler and settings that ship. The regular build leaves test
 * contracts out, so that nothing of them can be deployed by accident.
 *
 * @param source File of the contract, from the project's root.
 * @throws Error with the compiler's own words when it does not compile.
 */
export function compileHarness(source: string, name: string): Artifact {
  const solc = nodeRequire('solc') as { compile(input: string, callbacks: object): string };
  const input = {
    language: 'Solidity',
    sources: { [source]: { content: readFileSync(join(contractsRoot, source), 'utf8') } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      viaIR: true,
      evmVersion: 'cancun',
      outputSelection: { [source]: { [name]: ['abi', 'evm.bytecode.object'] } },
    },
  };
  const find = (path: string) => {
    const places = [join(contractsRoot, path), join(contractsRoot, 'node_modules', path)];
    const found = places.find((place) => existsSync(place));
    return found === undefined ? { error: `no ${path}` } : { contents: readFileSync(found, 'utf8') };
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: find })) as Output;
  const compiled = output.contracts?.[source]?.[name];
  if (compiled === undefined || compiled.evm.bytecode.object === '') {
    throw new Error(`${name} does not compile: ${output.errors?.map((one) => one.formattedMessage).join('\n')}`);
  }
  return { abi: compiled.abi, bytecode: `0x${compiled.evm.bytecode.object}` as Hex };
}
