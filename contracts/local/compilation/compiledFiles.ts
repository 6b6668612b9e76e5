import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Abi } from 'viem';
import { artifactsFolder, buildTrees, currentTrees, type SyntaxTrees } from './buildTrees.ts';
import {
  type CodeGap,
  type CodeGaps,
  type CompiledContract,
  type CompiledName,
  compiledContracts,
  compiledNames,
  declarationsFile,
} from './compiledContract.ts';
import { declarationsOf, type SyntaxNode } from './solidityDeclarations.ts';

type LinkReferences = Readonly<Record<string, CodeGaps>>;

/** Artifact of a contract as Hardhat writes it. */
interface HardhatArtifact {
  readonly abi: Abi;
  readonly bytecode: string;
  readonly deployedBytecode: string;
  readonly linkReferences: LinkReferences;
  readonly deployedLinkReferences: LinkReferences;
  readonly immutableReferences?: Readonly<Record<string, readonly CodeGap[]>>;
  readonly buildInfoId: string;
}

/** Return the files of the shipped build, by name, from Hardhat's build of the same sources. */
export function compiledFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  let trees: SyntaxTrees = {};
  let names: ReadonlyMap<string, string> = new Map();
  let buildInfoId = '';
  for (const name of compiledNames) {
    const path = join(artifactsFolder, compiledContracts[name], `${name}.sol`, `${name}.json`);
    const artifact: HardhatArtifact = JSON.parse(readFileSync(path, 'utf8'));
    // Node numbers differ from build to build, so every artifact needs the trees of its own.
    if (artifact.buildInfoId !== buildInfoId) {
      ({ buildInfoId } = artifact);
      const own = buildTrees(buildInfoId);
      trees = { ...trees, ...currentTrees(own) };
      names = immutableNamesOf(own.trees);
    }
    files.set(`${name}.json`, textOf(contractOf(name, artifact, names)));
  }
  files.set(declarationsFile, `${JSON.stringify(declarationsOf(trees), null, 2)}\n`);
  return files;
}

function contractOf(
  name: CompiledName,
  artifact: HardhatArtifact,
  immutableNames: ReadonlyMap<string, string>,
): CompiledContract {
  const immutables = Object.entries(artifact.immutableReferences ?? {}).map(([id, gaps]) => {
    const immutable = immutableNames.get(id) ?? (/^\d+$/.test(id) ? undefined : id);
    if (immutable === undefined) throw new Error(`${name} has an immutable without a name`);
    return [immutable, gaps] as const;
  });
  return {
    abi: artifact.abi,
    bytecode: artifact.bytecode,
    libraries: byLibrary(artifact.linkReferences),
    deployedBytecode: artifact.deployedBytecode,
    deployedLibraries: byLibrary(artifact.deployedLinkReferences),
    immutables: Object.fromEntries(immutables),
  };
}

function byLibrary(references: LinkReferences): CodeGaps {
  return Object.fromEntries(Object.values(references).flatMap((gaps) => Object.entries(gaps)));
}

/** A line for each entry of the ABI, so that a change of one shows as one. */
function textOf({ abi, ...others }: CompiledContract): string {
  const entries = abi.map((entry) => `    ${JSON.stringify(entry)}`).join(',\n');
  const lines = Object.entries(others).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return `{\n  "abi": [\n${entries}\n  ],\n${lines.join(',\n')}\n}\n`;
}

/** Name of each immutable by the number that its compiled code has for it. */
function immutableNamesOf(trees: SyntaxTrees): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const collect = (node: SyntaxNode): void => {
    for (const child of node.nodes ?? []) collect(child);
    if (node.mutability === 'immutable' && node.id !== undefined && node.name !== undefined) {
      names.set(String(node.id), node.name);
    }
  };
  for (const tree of Object.values(trees)) collect(tree);
  return names;
}
