import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A constant of a Solidity source. */
export interface ConstantDeclaration {
  readonly name: string;
  /** Solidity's type, for example `uint256`. */
  readonly type: string;
  readonly value: bigint;
  /** True when the source writes the value with a unit of time; it is in seconds then. */
  readonly isTime: boolean;
}

/** An enum with its members in the order of their numbers. */
export interface EnumDeclaration {
  readonly name: string;
  readonly members: readonly (readonly [name: string, value: number])[];
}

/** The parts of the compiler's syntax tree that declare constants and enums. */
interface SyntaxNode {
  readonly nodeType: string;
  readonly name?: string;
  readonly constant?: boolean;
  readonly nodes?: readonly SyntaxNode[];
  readonly members?: readonly { readonly name: string }[];
  readonly documentation?: { readonly text?: string };
  readonly typeName?: { readonly name?: string };
  readonly value?: { readonly subdenomination?: string; readonly typeDescriptions: { readonly typeString: string } };
}

interface BuildOutput {
  readonly output: { readonly sources: Readonly<Record<string, { readonly ast: SyntaxNode }>> };
}

/**
 * Whole-number constants and enums of some sources, in the order in which they stand there, from the build that made an
 * artifact.
 *
 * @throws Error for a source that the build does not have, or a whole-number constant whose value is no literal: none
 * is overlooked.
 */
export function readDeclarations(
  artifactPath: string,
  sources: readonly string[],
): { readonly constants: readonly ConstantDeclaration[]; readonly enums: readonly EnumDeclaration[] } {
  const build = buildOf(artifactPath);
  const nodes = sources.flatMap((source) => {
    const found = build.output.sources[`project/${source}`];
    if (found === undefined) throw new Error(`the build has no ${source}`);
    return declarationsIn(found.ast);
  });
  return { constants: nodes.flatMap(constantOf), enums: nodes.flatMap(enumOf) };
}

/**
 * Name of an error → what its declaration says of it, the notice or, in sources of others, the remark for developers;
 * parameters left out. All sources of the builds that made the artifacts are read.
 */
export function readErrorSentences(artifactPaths: readonly string[]): ReadonlyMap<string, string> {
  const sources = artifactPaths.flatMap((path) => Object.values(buildOf(path).output.sources));
  const declarations = sources.flatMap(({ ast }) => declarationsIn(ast));
  return new Map(
    declarations.flatMap(({ nodeType, name, documentation }) => {
      const sentence = /@(?:notice|dev)\s+(?<said>[^@]+)/.exec(documentation?.text ?? '')?.groups?.['said'];
      if (nodeType !== 'ErrorDefinition' || name === undefined || sentence === undefined) return [];
      return [[name, sentence.replace(/\s+/g, ' ').trim()] as const];
    }),
  );
}

function buildOf(artifactPath: string): BuildOutput {
  const { buildInfoId } = JSON.parse(readFileSync(artifactPath, 'utf8')) as { buildInfoId: string };
  const outputPath = join(artifactsFolderOf(artifactPath), 'build-info', `${buildInfoId}.output.json`);
  return JSON.parse(readFileSync(outputPath, 'utf8')) as BuildOutput;
}

/** Artifacts lie as `artifacts/<folder>/<Source>.sol/<Contract>.json`. */
function artifactsFolderOf(artifactPath: string): string {
  return dirname(dirname(dirname(artifactPath)));
}

/** Declarations of a file and of the contracts in it. */
function declarationsIn(node: SyntaxNode): readonly SyntaxNode[] {
  return (node.nodes ?? []).flatMap((child) =>
    child.nodeType === 'ContractDefinition' ? declarationsIn(child) : [child],
  );
}

function constantOf(node: SyntaxNode): ConstantDeclaration[] {
  const type = node.typeName?.name ?? '';
  if (node.nodeType !== 'VariableDeclaration' || node.constant !== true || !type.startsWith('uint')) return [];
  // The compiler has evaluated the literal, its exponent and its unit of time.
  const digits = /^int_const ([0-9]+)$/.exec(node.value?.typeDescriptions.typeString ?? '')?.[1];
  if (node.name === undefined || digits === undefined) throw new Error(`the value of ${node.name} is no literal`);
  return [{ name: node.name, type, value: BigInt(digits), isTime: node.value?.subdenomination !== undefined }];
}

function enumOf(node: SyntaxNode): EnumDeclaration[] {
  if (node.nodeType !== 'EnumDefinition' || node.name === undefined) return [];
  return [{ name: node.name, members: (node.members ?? []).map(({ name }, value) => [name, value] as const) }];
}
