import { bad, type Finding, fieldOf, good } from './finding.ts';

/** Return the finding about the grants of the last minutes in the readiness of the API, by category and kind. */
export function fillsFindingOf(readiness: unknown): Finding {
  const fills = listOf(readiness, 'keepers').flatMap((keeper) => listOf(keeper, 'fills'));
  const unserved = fills.filter((fill) => fieldOf(fill, 'has_fillers') === false);
  if (unserved.length > 0) return bad(summaryOf(unserved));
  return good(fills.length === 0 ? 'no grant has ended lately' : summaryOf(fills));
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
}

/** Every keeper reports the same grants. */
const summaryOf = (fills: readonly unknown[]): string =>
  [...new Set(fills.map((fill) => String(fieldOf(fill, 'summary'))))].join('; ');
