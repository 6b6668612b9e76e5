import { existsSync, readFileSync } from 'node:fs';
import { FriendlyError } from '@core/runtime';

/** Rows of one market of a recorded series, header included. */
export interface RecordedMarket {
  readonly csv: string;
  readonly marketId: string;
}

/**
 * Return one market of a file with the columns market_id, t_unix and bid, ask or up_bid, up_ask; the first one unless
 * named.
 *
 * @throws FriendlyError when file, column or market is missing.
 */
export function recordedMarketOf(replay: {
  readonly csvFile: string;
  readonly marketId: string | null;
}): RecordedMarket {
  if (!existsSync(replay.csvFile)) throw new FriendlyError(`The file ${replay.csvFile} does not exist.`);
  const [header, ...rows] = readFileSync(replay.csvFile, 'utf8').split(/\r?\n/);
  const column = (header ?? '').split(',').indexOf('market_id');
  if (header === undefined || column === -1) throw new FriendlyError(`${replay.csvFile} has no column market_id.`);
  const idOf = (row: string) => row.split(',')[column] ?? '';
  const marketId = replay.marketId ?? idOf(rows[0] ?? '');
  const marketRows = rows.filter((row) => row !== '' && idOf(row) === marketId);
  if (marketRows.length === 0) throw new FriendlyError(`${replay.csvFile} has no market ${marketId}.`);
  return { csv: `${[header, ...marketRows].join('\n')}\n`, marketId };
}
