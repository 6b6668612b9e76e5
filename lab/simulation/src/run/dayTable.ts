import type { DayRow } from '../days/measureDay.ts';
import { tableOf } from './tables.ts';

const columns = [
  'day',
  'without quotes',
  'a fall to its liquidation',
  '`/readyz` of the API',
  '`operate doctor`',
  'alerts',
];

/** Return worst days as a Markdown table. */
export function dayTableOf(rows: readonly DayRow[]): string {
  const lines = rows.map(({ day, quotelessSeconds, liquidatedSeconds, readiness, doctor, alerts }) => [
    day,
    `${quotelessSeconds} s`,
    liquidatedSeconds === null ? 'not in the day' : `${liquidatedSeconds} s`,
    listOf(Object.entries(readiness).map(([fact, second]) => `\`${fact}\` at ${second} s`)),
    listOf(doctor.map((check) => `✖ ${check}`)),
    listOf(Object.entries(alerts).map(([name, second]) => `[${name}](runbook/${name}.md) at ${second} s`)),
  ]);
  return tableOf(columns, lines);
}

const listOf = (parts: readonly string[]): string => (parts.length === 0 ? '–' : parts.join(', '));
