import type { Sql, Statement } from '../database/sql.ts';

const selectEvent: Statement = {
  name: 'markets_event',
  text: 'SELECT 1 AS found FROM markets WHERE event_ticker = $1 LIMIT 1',
};
const selectSeries: Statement = {
  name: 'markets_series',
  text: 'SELECT 1 AS found FROM markets WHERE series_ticker = $1 LIMIT 1',
};

/** Lookups of events and series that any market, in any status, belongs to. */
export function marketGroups(sql: Sql) {
  return {
    hasEvent: async (eventTicker: string): Promise<boolean> => (await sql.row(selectEvent, [eventTicker])) !== null,
    hasSeries: async (seriesTicker: string): Promise<boolean> => (await sql.row(selectSeries, [seriesTicker])) !== null,
  };
}
