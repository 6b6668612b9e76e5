import { compileSolidity } from '../project/compileSolidity.ts';

/** A part of a source that a switch may choose instead of another: what stands from `from` until `to`. */
export interface SwitchPlace {
  readonly from: number;
  readonly to: number;
  readonly kind: 'expression' | 'statement';
}

interface SyntaxNode {
  readonly nodeType: string;
  /** `start:length:file`, in bytes. */
  readonly src: string;
  readonly lValueRequested?: boolean;
  readonly typeDescriptions?: { readonly typeString?: string };
  readonly [key: string]: unknown;
}

/** A type of which one value may stand for another: a literal number takes its type from where it stands. */
const valueType = /^(?:bool|u?int\d+|address(?: payable)?|bytes\d+|enum .+)$/;
const statements = new Set(['ExpressionStatement', 'EmitStatement', 'RevertStatement', 'Return', 'IfStatement']);

/**
 * Every place of a source where a switch may stand: the expressions with a value and the statements that declare
 * nothing, inside the bodies of functions.
 *
 * @param root The contracts' root. @param file Path of the source in its `src`. @param source Its text.
 * @throws Error when the source does not compile.
 */
export function switchPlacesOf(root: string, { file, source }: { readonly file: string; readonly source: string }) {
  const path = `src/${file}`;
  const output = compileSolidity({ root, source: path, settings: { outputSelection: { [path]: { '': ['ast'] } } } });
  const tree = output.sources?.[path]?.ast;
  if (tree === undefined) throw new Error(`${path} does not compile`);
  const characterAt = charactersByByte(source);
  const places: SwitchPlace[] = [];
  visit(tree, false, (node) => {
    const kind = kindOf(node);
    if (kind === undefined) return;
    const [start = 0, length = 0] = node.src.split(':').map(Number);
    const to = characterAt(start + length);
    // The compiler leaves the semicolon out of most statements.
    const isOpenEnded = kind === 'statement' && source[to] === ';';
    places.push({ kind, from: characterAt(start), to: isOpenEnded ? to + 1 : to });
  });
  return places;
}

function kindOf({ nodeType, lValueRequested, typeDescriptions }: SyntaxNode): SwitchPlace['kind'] | undefined {
  if (statements.has(nodeType)) return 'statement';
  const isValue = lValueRequested === false && valueType.test(typeDescriptions?.typeString ?? '');
  return isValue ? 'expression' : undefined;
}

/** Visits every node in the bodies of functions, the outer ones first. */
function visit(value: unknown, isInBody: boolean, use: (node: SyntaxNode) => void): void {
  if (Array.isArray(value)) {
    for (const one of value) visit(one, isInBody, use);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const node = isNode(value) ? value : null;
  if (isInBody && node !== null) use(node);
  for (const [key, child] of Object.entries(value)) {
    visit(child, isInBody || (node?.nodeType === 'FunctionDefinition' && key === 'body'), use);
  }
}

/** The compiler writes `nodeType` and `src` in every node, and in nothing else. */
function isNode(value: object): value is SyntaxNode {
  return typeof Reflect.get(value, 'nodeType') === 'string' && typeof Reflect.get(value, 'src') === 'string';
}

/** The compiler counts bytes, a text its characters. */
function charactersByByte(text: string): (byte: number) => number {
  const bytes = Buffer.from(text, 'utf8');
  return (byte) => bytes.subarray(0, byte).toString('utf8').length;
}
