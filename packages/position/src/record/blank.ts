import { leverageBps, pricePips, rateBps, tokenUnits, usdcUnits } from '@core/pricing';
import type { Field, FieldTable, RecordOf } from './field.ts';

/** A record in which nothing is known yet: null where a field allows it, else zero, empty or its first value. */
export function blankOf<Table extends FieldTable>(table: Table): RecordOf<Table> {
  return Object.fromEntries(
    Object.entries(table).map(([name, field]) => [name, field.isNullable ? null : emptyOf(field)]),
  ) as RecordOf<Table>;
}

function emptyOf(field: Field): unknown {
  switch (field.kind) {
    case 'text':
      return '';
    case 'hex':
      return '0x';
    case 'texts':
    case 'hexes':
    case 'uint256s':
      return [];
    case 'flag':
      return false;
    case 'integer':
    case 'instant':
      return 0;
    case 'bigint':
    case 'uint256':
      return 0n;
    case 'usdcUnits':
      return usdcUnits(0n);
    case 'tokenUnits':
      return tokenUnits(0n);
    case 'pricePips':
      return pricePips(0n);
    case 'leverageBps':
      return leverageBps(0n);
    case 'rateBps':
      return rateBps(0n);
    case 'json':
      return null;
    case 'oneOf':
      return field.values[0];
  }
}
