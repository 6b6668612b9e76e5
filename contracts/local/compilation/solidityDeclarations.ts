/** A constant of a Solidity source. */
export interface ConstantDeclaration {
  readonly name: string;
  /** Solidity's type, for example `uint256`. */
  readonly type: string;
  /** Decimal digits. */
  readonly value: string;
  /** True when the source writes the value with a unit of time; it is in seconds then. */
  readonly isTime: boolean;
}

/** An enum with its members in the order of their numbers. */
export interface EnumDeclaration {
  readonly name: string;
  readonly members: readonly (readonly [name: string, value: number])[];
}

/** Everything that TypeScript reads from the sources besides ABIs. */
export interface SolidityDeclarations {
  /** Whole-number constants by source, in the order of the source. */
  readonly constants: Readonly<Record<string, readonly ConstantDeclaration[]>>;
  readonly enums: Readonly<Record<string, readonly EnumDeclaration[]>>;
  /** The notice on an error, or the remark for developers in sources of others, by the name of the error. */
  readonly errorSentences: Readonly<Record<string, string>>;
}

/** The parts of the compiler's syntax tree that declare constants, enums and errors. */
export interface SyntaxNode {
  readonly nodeType: string;
  readonly id?: number;
  readonly name?: string;
  readonly constant?: boolean;
  readonly mutability?: string;
  readonly nodes?: readonly SyntaxNode[];
  readonly members?: readonly { readonly name: string }[];
  readonly documentation?: { readonly text?: string };
  readonly typeName?: { readonly name?: string };
  readonly value?: { readonly subdenomination?: string; readonly typeDescriptions: { readonly typeString: string } };
}

/** Sources whose constants and enums TypeScript shares. */
const sharedSources = ['src/VaultConstants.sol', 'src/interfaces/IVault.sol', 'venue/VenueExchange.sol'];

/**
 * Read the shared declarations from the syntax trees of a build.
 *
 * @param trees Syntax tree by the compiler's name of a source, such as `project/src/Vault.sol`.
 * @throws Error for a shared source that the build lacks, or a whole-number constant whose value is no literal: none is
 * overlooked.
 */
export function declarationsOf(trees: Readonly<Record<string, SyntaxNode>>): SolidityDeclarations {
  const perSource = sharedSources.map((source) => {
    const tree = trees[`project/${source}`];
    if (tree === undefined) throw new Error(`the build has no ${source}`);
    return [source, declarationsIn(tree)] as const;
  });
  return {
    constants: Object.fromEntries(perSource.map(([source, nodes]) => [source, nodes.flatMap(constantOf)] as const)),
    enums: Object.fromEntries(perSource.map(([source, nodes]) => [source, nodes.flatMap(enumOf)] as const)),
    errorSentences: Object.fromEntries(
      Object.values(trees)
        .flatMap(declarationsIn)
        .flatMap(sentenceOf)
        .toSorted(([left], [right]) => (left < right ? -1 : 1)),
    ),
  };
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
  return [{ name: node.name, type, value: digits, isTime: node.value?.subdenomination !== undefined }];
}

function enumOf(node: SyntaxNode): EnumDeclaration[] {
  if (node.nodeType !== 'EnumDefinition' || node.name === undefined) return [];
  return [{ name: node.name, members: (node.members ?? []).map(({ name }, value) => [name, value] as const) }];
}

function sentenceOf({ nodeType, name, documentation }: SyntaxNode): (readonly [name: string, sentence: string])[] {
  const sentence = /@(?:notice|dev)\s+(?<said>[^@]+)/.exec(documentation?.text ?? '')?.groups?.['said'];
  if (nodeType !== 'ErrorDefinition' || name === undefined || sentence === undefined) return [];
  return [[name, sentence.replace(/\s+/g, ' ').trim()]];
}
