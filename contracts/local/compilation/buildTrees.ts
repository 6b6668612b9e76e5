import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractsRoot } from '../contractsRoot.ts';
import type { SyntaxNode } from './solidityDeclarations.ts';

/** Folder of what Hardhat has built. */
export const artifactsFolder = join(contractsRoot, 'artifacts');

/** Syntax tree by the compiler's name of a source, such as `project/src/Vault.sol`. */
export type SyntaxTrees = Readonly<Record<string, SyntaxNode>>;

/** One run of the compiler: the texts it was given and the trees it made of them, by the name of the source. */
export interface BuildTrees {
  readonly texts: Readonly<Record<string, string>>;
  readonly trees: SyntaxTrees;
}

/** Input and output of the compiler as Hardhat writes them. */
interface BuildInput {
  readonly input: { readonly sources: Readonly<Record<string, { readonly content: string }>> };
}
interface BuildOutput {
  readonly output: { readonly sources: Readonly<Record<string, { readonly ast: SyntaxNode }>> };
}

/** Read one run of the compiler, by the number that its artifacts name. */
export function buildTrees(buildInfoId: string): BuildTrees {
  const path = join(artifactsFolder, 'build-info', buildInfoId);
  const { input }: BuildInput = JSON.parse(readFileSync(`${path}.json`, 'utf8'));
  const { output }: BuildOutput = JSON.parse(readFileSync(`${path}.output.json`, 'utf8'));
  return {
    texts: Object.fromEntries(Object.entries(input.sources).map(([source, { content }]) => [source, content])),
    trees: Object.fromEntries(Object.entries(output.sources).map(([source, { ast }]) => [source, ast])),
  };
}

/**
 * Return the trees of sources that still have the text the compiler was given. Hardhat compiles again only what
 * depends on a change, so the run that built an unchanged contract may hold an older text of a changed interface.
 *
 * @param root Folder of the contracts.
 */
export function currentTrees({ texts, trees }: BuildTrees, root: string = contractsRoot): SyntaxTrees {
  const isCurrent = (source: string) => {
    const [, own] = /^project\/(.+)$/.exec(source) ?? [];
    if (own === undefined) return true;
    const file = join(root, own);
    return existsSync(file) && readFileSync(file, 'utf8') === texts[source];
  };
  return Object.fromEntries(Object.entries(trees).filter(([source]) => isCurrent(source)));
}
