import { existsSync, readFileSync } from 'node:fs';
import { FriendlyError } from '@core/runtime';

/** The rows of one market of a recorded series, header included. */
export interface RecordedMarket {
  readonly csv: string;
  readonly marketId: string;
}

/**
 * Cuts one market out of a file with the columns market_id, t_unix and bid, ask or up_bid, up_ask; the file's first
 * one when none is named. @throws FriendlyError when file, column or market are missing.
 */
export function recordedMarketOf(replay: {
  readonly csvFile: string;
  readonly marketId: string | null;
}): RecordedMarket {
  if (!existsSync(replay.csvFile)) throw new FriendlyError(`There is no file ${replay.csvFile}.`);
  const [header, ...rows] = readFileSync(replay.csvFile, 'utf8').split(/\r?\n/);
  const column = (header ?? '').split(',').indexOf('market_id');
  if (header === undefined || column === -1) throw new FriendlyError(`${replay.csvFile} has no column market_id.`);
  const idOf = (row: string) => row.split(',')[column] ?? '';
  const marketId = replay.marketId ?? idOf(rows[0] ?? '');
  const kept = rows.filter((row) => row !== '' && idOf(row) === marketId);
  if (kept.length === 0) throw new FriendlyError(`${replay.csvFile} holds no market ${marketId}.`);
  return { csv: `${[header, ...kept].join('\n')}\n`, marketId };
}
