const operators = ['==', '!=', '>', '<'] as const;
export type Operator = (typeof operators)[number];

interface Matcher {
  readonly label: string;
  /** The one value that it accepts; null for a pattern. */
  readonly only: string | null;
  readonly accepts: (value: string) => boolean;
}

/** Series of a metric; with a window, its points within the window. */
export interface Selector {
  readonly kind: 'selector';
  readonly name: string;
  readonly matchers: readonly Matcher[];
  /** Length of the window; null for the last value. */
  readonly windowMs: number | null;
}

/** The part of PromQL in which the alerts are written. */
export type Expression =
  | Selector
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'absent'; readonly of: Expression }
  | { readonly kind: 'increase' | 'rate'; readonly of: Selector }
  | { readonly kind: 'sum' | 'max'; readonly by: readonly string[]; readonly of: Expression }
  | { readonly kind: 'abs'; readonly of: Expression }
  | { readonly kind: 'or' | 'divide'; readonly first: Expression; readonly second: Expression }
  | {
      readonly kind: 'unless';
      /** Labels that must agree; null for all of them. */
      readonly on: readonly string[] | null;
      readonly first: Expression;
      readonly second: Expression;
    }
  | {
      readonly kind: 'compare';
      readonly operator: Operator;
      /** Labels that must agree between two vectors; null for all of them. */
      readonly on: readonly string[] | null;
      readonly first: Expression;
      readonly second: Expression;
    };

const tokenPattern = /\s*(\d+[ms]\b|\d+(?:\.\d+)?|[a-zA-Z_]\w*|"[^"]*"|=~|==|!=|[<>=(){}[\],/])/y;
const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000 };

/** Parse an expression. @throws Error for one that is outside of the supported part of PromQL. */
export function parseExpression(text: string): Expression {
  const parser = new Parser(tokensOf(text));
  const expression = parser.alternatives();
  parser.expectEnd();
  return expression;
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.trimEnd().length) {
    const position = tokenPattern.lastIndex;
    const token = tokenPattern.exec(text)?.[1];
    if (token === undefined) throw new Error(`unsupported expression: ${text.slice(position)}`);
    tokens.push(token);
  }
  return tokens;
}

class Parser {
  readonly #tokens: readonly string[];
  #position = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  /** Parse comparisons that are joined by `or`, which binds less than `unless`. */
  alternatives(): Expression {
    let first = this.#exception();
    while (this.#accept('or')) first = { kind: 'or', first, second: this.#exception() };
    return first;
  }

  expectEnd(): void {
    const token = this.#tokens[this.#position];
    if (token !== undefined) throw new Error(`unsupported expression: ${token}`);
  }

  #exception(): Expression {
    let first = this.#comparison();
    while (this.#accept('unless')) {
      const on = this.#accept('on') ? this.#names() : null;
      first = { kind: 'unless', on, first, second: this.#comparison() };
    }
    return first;
  }

  #comparison(): Expression {
    const first = this.#quotient();
    const operator = operators.find((candidate) => this.#accept(candidate));
    if (operator === undefined) return first;
    const on = this.#accept('on') ? this.#names() : null;
    return { kind: 'compare', operator, on, first, second: this.#quotient() };
  }

  #quotient(): Expression {
    const first = this.#term();
    return this.#accept('/') ? { kind: 'divide', first, second: this.#term() } : first;
  }

  #term(): Expression {
    const token = this.#next();
    if (/^\d/.test(token)) return { kind: 'number', value: Number(token) };
    switch (token) {
      case '(':
        return this.#enclosed();
      case 'absent':
      case 'abs':
        return { kind: token, of: this.#argument() };
      case 'sum':
      case 'max': {
        const by = this.#accept('by') ? this.#names() : [];
        return { kind: token, by, of: this.#argument() };
      }
      case 'increase':
      case 'rate': {
        const of = this.#argument();
        if (of.kind !== 'selector' || of.windowMs === null) throw new Error(`${token} needs a window`);
        return { kind: token, of };
      }
      default:
        return this.#selector(token);
    }
  }

  #argument(): Expression {
    this.#expect('(');
    return this.#enclosed();
  }

  #enclosed(): Expression {
    const enclosed = this.alternatives();
    this.#expect(')');
    return enclosed;
  }

  #selector(name: string): Selector {
    const matchers: Matcher[] = [];
    if (this.#accept('{')) {
      do matchers.push(this.#matcher());
      while (this.#accept(','));
      this.#expect('}');
    }
    return { kind: 'selector', name, matchers, windowMs: this.#accept('[') ? this.#window() : null };
  }

  #matcher(): Matcher {
    const label = this.#next();
    const isPattern = this.#accept('=~');
    if (!isPattern) this.#expect('=');
    const value = this.#next().slice(1, -1);
    if (!isPattern) return { label, only: value, accepts: (actual) => actual === value };
    const pattern = new RegExp(`^(?:${value})$`);
    return { label, only: null, accepts: (actual) => pattern.test(actual) };
  }

  #window(): number {
    const token = this.#next();
    const milliseconds = Number(token.slice(0, -1)) * (unitMs[token.slice(-1)] ?? Number.NaN);
    this.#expect(']');
    return milliseconds;
  }

  #names(): readonly string[] {
    const names: string[] = [];
    this.#expect('(');
    if (this.#accept(')')) return names;
    do names.push(this.#next());
    while (this.#accept(','));
    this.#expect(')');
    return names;
  }

  #next(): string {
    const token = this.#tokens[this.#position];
    if (token === undefined) throw new Error('unsupported expression: it ends too early');
    this.#position += 1;
    return token;
  }

  #accept(token: string): boolean {
    const isNext = this.#tokens[this.#position] === token;
    if (isNext) this.#position += 1;
    return isNext;
  }

  #expect(token: string): void {
    const next = this.#next();
    if (next !== token) throw new Error(`unsupported expression: ${next} where ${token} is needed`);
  }
}

/** Return an expression without its exceptions: a program that only explains it may be missing. */
export function conditionOf(expression: Expression): Expression {
  return expression.kind === 'unless' ? conditionOf(expression.first) : expression;
}

/** Return every selector of an expression. */
export function selectorsOf(expression: Expression): readonly Selector[] {
  switch (expression.kind) {
    case 'selector':
      return [expression];
    case 'number':
      return [];
    case 'or':
    case 'divide':
    case 'unless':
    case 'compare':
      return [...selectorsOf(expression.first), ...selectorsOf(expression.second)];
    case 'absent':
    case 'abs':
    case 'increase':
    case 'rate':
    case 'sum':
    case 'max':
      return selectorsOf(expression.of);
  }
}
