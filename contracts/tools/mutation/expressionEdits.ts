/** One change of a text: what stands from `from` until `to` becomes `after`. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly operator: string;
  readonly after: string;
}

interface Call {
  /** Function of the call, with its object. */
  readonly name: string;
  /** Start of the call's text. */
  readonly from: number;
  /** Position of its closing bracket. */
  readonly end: number;
  readonly args: readonly Argument[];
}

interface Argument {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const callHead = /(?<![\w.\]])[A-Za-z_][\w.]*\(/g;
/** A product in brackets and what it is divided by, unless it rounds up by hand already. */
const quotient = /(?<!- 1)\) \/ (?<divisor>[A-Za-z_][\w.]*)/g;
const declaration = /\b(?:function|event|error|modifier|returns|mapping|contract|library) *$/;
const keyword = /^(?:if|for|while|return|returns|catch|mapping|constructor|assembly|require)$/;

/**
 * Changes that need more than one token: two arguments side by side swapped, and a quotient that rounds up where it
 * rounds down.
 *
 * @param code A source in which only code stands; comments and strings are blank.
 */
export function expressionEdits(code: string): Edit[] {
  const calls = callsOf(code).flatMap((call) => [...swappedArguments(code, call), ...roundedUp(call)]);
  return [...calls, ...quotientsRoundedUp(code)];
}

/** Every call with its arguments; declarations and calls by field names are none. */
function callsOf(code: string): Call[] {
  const calls: Call[] = [];
  for (const match of code.matchAll(callHead)) {
    const name = match[0].slice(0, -1);
    if (keyword.test(name) || declaration.test(code.slice(0, match.index))) continue;
    const open = match.index + name.length;
    const end = closingBracket(code, open);
    if (end === undefined || code[open + 1] === '{') continue;
    calls.push({ name, from: match.index, end, args: argumentsOf(code, open + 1, end) });
  }
  return calls;
}

/** Return the position of the bracket that closes the one at `open`. */
function closingBracket(code: string, open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < code.length; at += 1) {
    if ('([{'.includes(code.charAt(at))) depth += 1;
    if (')]}'.includes(code.charAt(at))) depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

/** Split the text between two positions at its commas, inner brackets left whole. */
function argumentsOf(code: string, from: number, to: number): Argument[] {
  const args: Argument[] = [];
  let start = from;
  const end = (at: number) => {
    const text = code.slice(start, at);
    const first = start + (text.length - text.trimStart().length);
    if (text.trim() !== '') args.push({ from: first, to: first + text.trim().length, text: text.trim() });
    start = at + 1;
  };
  for (let at = from; at < to; at += 1) {
    if ('([{'.includes(code.charAt(at))) at = closingBracket(code, at) ?? to;
    else if (code.charAt(at) === ',') end(at);
  }
  end(to);
  return args;
}

function swappedArguments(code: string, { args }: Call): Edit[] {
  return args.slice(1).flatMap((second, index) => {
    const first = args[index];
    if (first === undefined || first.text === second.text) return [];
    const after = second.text + code.slice(first.to, second.from) + first.text;
    return [{ from: first.from, to: second.to, operator: 'arguments swapped', after }];
  });
}

/** Of OpenZeppelin's mulDiv, which rounds down unless its last argument says otherwise. */
function roundedUp({ name, args, end }: Call): Edit[] {
  if (name !== 'Math.mulDiv' || args.length !== 3) return [];
  return [{ from: end, to: end, operator: 'rounding', after: ', Math.Rounding.Ceil' }];
}

function quotientsRoundedUp(code: string): Edit[] {
  return [...code.matchAll(quotient)].map((match) => {
    const divisor = match.groups?.['divisor'] ?? '';
    const to = match.index + match[0].length;
    return { from: match.index, to, operator: 'rounding', after: ` + ${divisor} - 1) / ${divisor}` };
  });
}
