/**
 * Item that a clause of the specification names: a route, an identifier (field, code, param, value), a row of limits, a
 * status with its cause, a type of event, or a sentence.
 */
export interface SpecifiedItem {
  readonly clause: string;
  readonly kind: 'route' | 'identifier' | 'limit' | 'status' | 'event' | 'promise';
  readonly name: string;
}

/**
 * Every name in the text of the specification, with the heading it stands under, each once per heading. Sentences are
 * not read: what a reader must find again in the interface has a name.
 */
export function specifiedItemsOf(markdown: string): readonly SpecifiedItem[] {
  const items = new Map<string, SpecifiedItem>();
  let clause = '';
  for (const line of markdown.split('\n')) {
    const heading = /^#+ (.+)$/.exec(line);
    if (heading !== null) clause = heading[1] ?? '';
    for (const item of itemsOfLine(clause, line)) items.set(`${item.clause}\n${item.kind}\n${item.name}`, item);
  }
  return [...items.values()];
}

function itemsOfLine(clause: string, line: string): readonly SpecifiedItem[] {
  const limit = clause === 'Limits' ? /^\| ([^|]+) \| [^|]+ \| [^|]+ \|$/.exec(line)?.[1]?.trim() : undefined;
  return [
    ...routesIn(line).map((name) => ({ clause, kind: 'route', name }) as const),
    ...identifiersIn(line).map((name) => ({ clause, kind: 'identifier', name }) as const),
    ...(limit === undefined || /^(Limit|-+)$/.test(limit) ? [] : [{ clause, kind: 'limit', name: limit } as const]),
  ];
}

/** `| POST | /quotes and /offers |` names two, `POST /sample-events: …` one. */
function routesIn(line: string): readonly string[] {
  return [...line.matchAll(/\b(GET|POST)\b(?: \| | )(\/[\w{}/-]+)(?: and (\/[\w{}/-]+))?/g)].flatMap(
    ([, method = '', path = '', other]) =>
      [path, ...(other === undefined ? [] : [other])].map((each) => `${method} ${each}`),
  );
}

/** Suffixes of the name of an amount. */
const companions = ['_usd_pips', '_usdc_units', '_usd', '_bps', '_pips'];
/** Of these, those that a name is shown with: `x_usd` with `_pips` is `x_usd_pips`. */
const endings = companions.filter((companion) => companion !== '_pips');

/**
 * Identifiers in backticks. `notional_usd_pips` / `_usd` names two fields, `max_{yes,no}_bps` two as well, and `x_*` a
 * family, which stays one name.
 */
function identifiersIn(line: string): readonly string[] {
  let last: readonly string[] = [];
  const prices: string[] = [];
  return [...line.matchAll(/`([^`]+)`/g)].flatMap(([, text = '']) => {
    const pieces = spreadBraces(text).flatMap((each) => each.split(/[^A-Za-z0-9_.*-]+/));
    const names = pieces.flatMap((piece) => piece.split('.')).filter((name) => /^_?[A-Za-z][\w-]*\*?$/.test(name));
    const [only] = names;
    // "Keys: …, each with a `_pips` companion".
    if (only === '_pips') return prices.map((name) => `${name}${only}`);
    if (only !== undefined && companions.includes(only)) return last.map((name) => `${baseOf(name)}${only}`);
    last = names;
    prices.push(...names.filter((name) => name.endsWith('_price_usd')));
    return names;
  });
}

const baseOf = (name: string): string => {
  const suffix = ['_*', ...endings].find((ending) => name.endsWith(ending)) ?? '';
  return name.slice(0, name.length - suffix.length);
};

/** `at{1,2}_bps` is `at1_bps` and `at2_bps`. */
function spreadBraces(text: string): readonly string[] {
  const braces = /\{(\w+(?:,\w+)+)\}/.exec(text);
  if (braces === null) return [text];
  return (braces[1] ?? '').split(',').flatMap((choice) => spreadBraces(text.replace(braces[0], choice)));
}
