import { type ESTree, parseSync } from 'vite';

/** Module with elements: its name and its source. */
export interface ElementSource {
  readonly name: string;
  readonly text: string;
}

type Node = ESTree.Node;
type AnyFunction = ESTree.Function | ESTree.ArrowFunctionExpression;
type Parent = ESTree.JSXElement | ESTree.JSXFragment;

/** Modules whose functions write figures. */
const figureModule = /\/(money|shares|lifeText)\.ts$/;
/** Functions of these modules that write no figure. */
const noFigures: ReadonlySet<string> = new Set(['amountFault']);
/** Components that mark their content as not to be translated. */
const figureComponents: ReadonlySet<string> = new Set(['Figure', 'Fact']);
/** Component of the router that always renders one element. */
const link = 'Link';

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const isFunction = (node: Node): node is AnyFunction =>
  node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression' || node.type === 'FunctionDeclaration';

const isParent = (node: Node): node is Parent => node.type === 'JSXElement' || node.type === 'JSXFragment';

/** Return a node with all below it, without what is below a node for which `isEnd` is true. */
function* below(node: Node, isEnd: (node: Node) => boolean = () => false): Generator<Node> {
  yield node;
  for (const value of Object.values(node).flat()) {
    if (!isNode(value)) continue;
    if (isEnd(value)) yield value;
    else yield* below(value, isEnd);
  }
}

/** Return the expressions of which one is the value of an expression. */
function outcomesOf(node: Node): readonly Node[] {
  switch (node.type) {
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
      return outcomesOf(node.expression);
    case 'ConditionalExpression':
      return [...outcomesOf(node.consequent), ...outcomesOf(node.alternate)];
    case 'LogicalExpression':
      return [node.operator === '&&' ? [] : outcomesOf(node.left), outcomesOf(node.right)].flat();
    default:
      return [node];
  }
}

/** Return the items of a list that is made by a function; null for any other expression. */
function itemsOf(node: Node): readonly Node[] | null {
  if (!isMapping(node)) return null;
  const [make] = node.arguments;
  return make !== undefined && isFunction(make) ? returnsOf(make) : [];
}

/** Return the nodes that an expression shows, those of its lists among them. */
const valuesOf = (node: Node): readonly Node[] => outcomesOf(node).flatMap((outcome) => itemsOf(outcome) ?? [outcome]);

/** True for a call that makes a list of children. */
const isMapping = (node: Node): node is ESTree.CallExpression =>
  node.type === 'CallExpression' &&
  node.callee.type === 'MemberExpression' &&
  node.callee.property.type === 'Identifier' &&
  ['map', 'flatMap'].includes(node.callee.property.name);

/** Return the nodes that a function may return. */
function returnsOf({ body }: AnyFunction): readonly Node[] {
  if (body === null) return [];
  if (body.type !== 'BlockStatement') return valuesOf(body);
  return [...below(body, isFunction)].flatMap((node) =>
    node.type === 'ReturnStatement' && node.argument !== null ? valuesOf(node.argument) : [],
  );
}

const nameOf = (parent: Parent): string =>
  parent.type === 'JSXElement' && parent.openingElement.name.type === 'JSXIdentifier'
    ? parent.openingElement.name.name
    : '';

const isComponentName = (name: string): boolean => /^[A-Z]/.test(name);

/** Text as React keeps it: line breaks with the blanks around them are no text. */
const keptText = (text: string): string => text.replace(/^\s*\n\s*|\s*\n\s*$/g, '');

const isText = (text: string): boolean => keptText(text).trim() !== '';

/** Return the text of a literal; null for anything else. */
function literalOf(node: Node): string | null {
  if (node.type === 'JSXText') return node.value;
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  return null;
}

/** Nothing to show: null, undefined, true, false, blanks, a comment. */
function isNothing(node: Node): boolean {
  if (node.type === 'JSXEmptyExpression') return true;
  if (node.type === 'Identifier') return node.name === 'undefined';
  const text = literalOf(node);
  if (text !== null) return !isText(text);
  return node.type === 'Literal' && (node.value === null || typeof node.value === 'boolean');
}

/** Components of the sources by name, each with the nodes that it may return. */
function componentsOf(programs: readonly Node[]): ReadonlyMap<string, readonly Node[]> {
  const components = new Map<string, readonly Node[]>();
  for (const node of programs.flatMap((program) => [...below(program)])) {
    if (
      isFunction(node) &&
      node.type !== 'ArrowFunctionExpression' &&
      node.id !== null &&
      isComponentName(node.id.name)
    ) {
      components.set(node.id.name, returnsOf(node));
    }
  }
  return components;
}

/**
 * Kinds of children: an element, text of the source, text that may change, a list of texts, elements that come and go,
 * a blank.
 */
type Kind = 'element' | 'words' | 'text' | 'texts' | 'some' | 'blank';

/** Rules about text in elements, for the sources of one page. */
class TextRules {
  readonly #components: ReadonlyMap<string, readonly Node[]>;

  constructor(components: ReadonlyMap<string, readonly Node[]>) {
    this.#components = components;
  }

  /** True for a node that always is one element of the document. */
  #isElement(node: Node): boolean {
    if (node.type !== 'JSXElement') return false;
    const name = nameOf(node);
    if (!isComponentName(name) || name === link) return true;
    const returned = this.#components.get(name) ?? [];
    return returned.length > 0 && returned.every((value) => this.#isElement(value));
  }

  /** Return the kind of a child; null for one that is never shown. */
  #kindOf(child: Node): Kind | null {
    if (child.type === 'JSXElement') return this.#isElement(child) ? 'element' : 'some';
    const all = valuesOf(child);
    const [only] = all;
    const literal = all.length === 1 && only !== undefined ? literalOf(only) : null;
    if (literal !== null) return isText(literal) ? 'words' : keptText(literal) === '' ? null : 'blank';
    const values = all.filter((value) => !isNothing(value));
    if (values.length === 0) return null;
    if (values.every(isParent)) return 'some';
    return outcomesOf(child).some(isMapping) ? 'texts' : 'text';
  }

  /** Return the fault of the children of an element; null without one. */
  faultOf(parent: Parent): string | null {
    const kinds = parent.children.map((child) => this.#kindOf(child)).filter((kind) => kind !== null);
    const hasText = kinds.includes('text');
    if (kinds.includes('texts')) return 'list of texts';
    if (parent.type === 'JSXFragment' && (hasText || kinds.includes('words'))) return 'text in a fragment';
    if (hasText && kinds.length > 1) return 'text that may change beside other children';
    if (kinds.includes('words') && kinds.includes('some')) return 'text beside elements that come and go';
    return null;
  }
}

/** Return what a component or the cell of a table returns besides elements. */
const textsReturned = (returned: readonly Node[]): readonly Node[] =>
  returned.filter((value) => !isNothing(value) && !isParent(value));

const isMarked = (parent: Parent): boolean =>
  figureComponents.has(nameOf(parent)) ||
  (parent.type === 'JSXElement' &&
    parent.openingElement.attributes.some(
      (attribute) =>
        attribute.type === 'JSXAttribute' &&
        attribute.name.name === 'translate' &&
        attribute.value?.type === 'Literal' &&
        attribute.value.value === 'no',
    ));

/** Return the names under which a module imports functions that write figures. */
function figureNamesOf(program: Node): ReadonlySet<string> {
  const imports = [...below(program)].flatMap((node) =>
    node.type === 'ImportDeclaration' && figureModule.test(node.source.value) ? node.specifiers : [],
  );
  return new Set(imports.map(({ local }) => local.name).filter((name) => !noFigures.has(name)));
}

/** Return true for a child that is written by a function of figures. */
const isFigure = (child: Node, names: ReadonlySet<string>): boolean =>
  child.type === 'JSXExpressionContainer' &&
  [...below(child, (node) => isParent(node) || isFunction(node))].some(
    (node) => node.type === 'CallExpression' && node.callee.type === 'Identifier' && names.has(node.callee.name),
  );

/**
 * Return the places where a translator of the browser would break a page. It replaces text nodes, and React goes on
 * writing to them. An element whose only child is one text follows, because React replaces its whole content.
 */
export function textOffences(sources: readonly ElementSource[]): readonly string[] {
  const programs = sources.map(({ name, text }) => parseSync(name, text).program);
  const rules = new TextRules(componentsOf(programs));
  return sources.flatMap(({ name, text }, index) => {
    const program = programs[index];
    if (program === undefined) return [];
    const figureNames = figureNamesOf(program);
    const at = (node: Node, fault: string): string =>
      `${name}:${text.slice(0, node.start).split('\n').length}: ${fault}`;
    return [...below(program)].flatMap((node) => {
      if (isParent(node)) {
        const fault = rules.faultOf(node);
        const figures = isMarked(node) ? [] : node.children.filter((child) => isFigure(child, figureNames));
        return [
          ...(fault === null ? [] : [at(node, fault)]),
          ...figures.map((child) => at(child, 'figure that may be translated')),
        ];
      }
      if (isFunction(node) && node.type !== 'ArrowFunctionExpression' && isComponentName(node.id?.name ?? '')) {
        return textsReturned(returnsOf(node)).map((value) => at(value, 'text returned by a component'));
      }
      if (
        node.type === 'Property' &&
        node.key.type === 'Identifier' &&
        node.key.name === 'cell' &&
        isFunction(node.value)
      ) {
        return textsReturned(returnsOf(node.value)).map((value) => at(value, 'text returned for a cell'));
      }
      return [];
    });
  });
}
