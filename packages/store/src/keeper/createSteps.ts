import { type MarketRecord, type MarketRow, marketFields, marketRecordOf } from '@core/market';
import { type Position, positionFields } from '@core/position';
import { columnOf, fieldNamesOf } from '../database/columns.ts';
import type { Sql, Statement } from '../database/sql.ts';
import { intentFields, selectRecent } from './createIntents.ts';
import type { IntentRecord } from './intents.ts';

/** Stored inputs of one step of a position, all of one moment. */
export interface StepInputs {
  readonly record: Position;
  /** Null while its market is not listed. */
  readonly market: MarketRecord | null;
  /** Unfinished intents and the newest of each operation, oldest first. */
  readonly intents: readonly IntentRecord[];
}

const recordFields = fieldNamesOf(positionFields);
const marketColumns = fieldNamesOf(marketFields);
/** Columns of one table under names of their own: the statement joins three tables with equal names. */
const listOf = (table: string, fields: readonly string[]): string =>
  fields.map((field) => `${table}.${columnOf(field)} AS "${table}.${field}"`).join(', ');

/** One row with position and market, and one row for each intent: wide columns are sent once. */
const selectInputs: Statement = {
  name: 'steps_inputs',
  text: `WITH subject AS (
           SELECT ${listOf('position', recordFields)}, ${listOf('market', marketColumns)}
           FROM positions AS position LEFT JOIN markets AS market ON market.id = position.market_id
           WHERE position.position_key = $1
         ), recent AS (${selectRecent.text})
         SELECT subject.*, recent.* FROM subject FULL JOIN recent ON false
         ORDER BY "createdAtMs", attempt, id`,
};

type Row = Readonly<Record<string, unknown>>;

export function createSteps(sql: Sql) {
  return {
    /**
     * Read the inputs of a step in one statement; null for an unknown position.
     * @param limits Number of the newest intents to return, by operation; unfinished ones are always returned.
     */
    async inputs(positionKey: string, limits: Readonly<Record<string, number>>): Promise<StepInputs | null> {
      const values = [positionKey.toLowerCase(), Object.keys(limits), Object.values(limits)];
      const rows = await sql.rows<Row>(selectInputs, values);
      const subject = rows.find((row) => row['position.positionKey'] !== null);
      if (subject === undefined) return null;
      return {
        record: partOf<Position>(subject, recordFields, 'position.'),
        market:
          subject['market.id'] === null ? null : marketRecordOf(partOf<MarketRow>(subject, marketColumns, 'market.')),
        intents: rows.filter(({ id }) => id !== null).map((row) => partOf<IntentRecord>(row, intentFields, '')),
      };
    },
  };
}

/** Return the fields of one table in a joined row. */
function partOf<Part extends object>(row: Row, fields: readonly (keyof Part & string)[], prefix: string): Part {
  return Object.fromEntries(fields.map((field) => [field, row[`${prefix}${field}`]])) as Part;
}

export type StepStore = ReturnType<typeof createSteps>;
