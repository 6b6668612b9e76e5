import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Abi } from 'viem';

const nodeRequire = createRequire(import.meta.url);
const solc: { compile(input: string, callbacks: object): string } = nodeRequire('solc');

/** Selected outputs of the compiler for one contract. */
export interface CompiledContract<Layout = unknown> {
  readonly abi: Abi;
  readonly evm?: {
    readonly bytecode?: { readonly object: string };
    readonly deployedBytecode?: { readonly object: string };
  };
  readonly storageLayout?: Layout;
}

export interface CompilerOutput<Layout = unknown> {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, CompiledContract<Layout>>>>>;
  readonly sources?: Readonly<Record<string, { readonly ast?: unknown }>>;
}

/**
 * Compiles one file of a folder of contracts; what it imports is read from the folder and from its packages.
 *
 * @param source Path from the root.
 * @param settings Of the compiler, output selection included.
 */
export function compileSolidity<Layout = unknown>(parameters: {
  readonly root: string;
  readonly source: string;
  readonly settings: object;
}): CompilerOutput<Layout> {
  const { root, source, settings } = parameters;
  const input = {
    language: 'Solidity',
    sources: { [source]: { content: readFileSync(join(root, source), 'utf8') } },
    settings,
  };
  const find = (path: string) => {
    const found = [join(root, path), join(root, 'node_modules', path)].find((candidate) => existsSync(candidate));
    return found === undefined ? { error: `no ${path}` } : { contents: readFileSync(found, 'utf8') };
  };
  const output: CompilerOutput<Layout> = JSON.parse(solc.compile(JSON.stringify(input), { import: find }));
  return output;
}
