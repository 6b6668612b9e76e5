import { samplePosition } from '@core/position/testing';
import { Client } from 'pg';
import { type World, walletOf } from './world.ts';

/** Number of rows in the tables. */
export interface TableSizes {
  readonly finalizedMarkets: number;
  readonly openPositions: number;
  readonly finishedPositions: number;
}

/** Number of wallets that own the positions. */
export const fullWalletCount = 500;

/** Table sizes of a service after years. */
export const fullSizes: TableSizes & { readonly liveMarkets: number } = {
  liveMarkets: 1_000,
  finalizedMarkets: 100_000,
  openPositions: 100_000,
  finishedPositions: 1_000_000,
};

/** Copy one row inside the database; each column from the row or as given. */
async function copyRows(
  client: Client,
  table: 'markets' | 'positions',
  copies: { readonly from: string; readonly count: number; readonly columns: Readonly<Record<string, string>> },
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 ORDER BY ordinal_position',
    [table],
  );
  const names = rows.map(({ name }) => `"${name}"`).join(', ');
  const values = rows.map(({ name }) => copies.columns[name] ?? `original."${name}"`).join(', ');
  await client.query(
    `INSERT INTO ${table} (${names}) SELECT ${values}
     FROM ${table} AS original, generate_series(1, ${copies.count}) AS n WHERE original.id = $1`,
    [copies.from],
  );
}

const hashOf = (name: string): string => `'0x' || encode(sha256(('${name}' || n)::bytea), 'hex')`;
const walletsOf = `'0x' || lpad(to_hex(n % ${fullWalletCount} + 1), 40, '0')`;

/** Fill the tables to these sizes. */
export async function fillTables({ databaseUrl, store, partnerId }: World, sizes: TableSizes): Promise<void> {
  const { records } = await store.markets.unfinalized();
  const [market] = records;
  if (market === undefined) throw new Error('the venue lists no market');
  const original = samplePosition(1, {
    partnerId,
    walletAddress: walletOf(0),
    marketId: market.id,
    venueMarketId: market.venueMarketId,
    venueTokenId: market.yesTokenId,
  });
  await store.positions.put({ position: original, transactions: [], unwinds: [], partialCloses: [], ledger: [] });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await copyRows(client, 'markets', {
    from: market.id,
    count: sizes.finalizedMarkets,
    columns: {
      id: "'mkt_full' || lpad(n::text, 22, '0')",
      ticker: "'finalized-' || lpad(n::text, 6, '0')",
      title: "original.title || ' ' || n",
      venue_market_id: hashOf('market'),
      question_id: hashOf('question'),
      yes_token_id: "'7' || lpad(n::text, 12, '0')",
      no_token_id: "'8' || lpad(n::text, 12, '0')",
      status: "'finalized'",
      discovered_at: "original.discovered_at - n * interval '1 minute'",
      version: "nextval('market_version')",
    },
  });
  const position = {
    id: "'pos_open' || lpad(n::text, 22, '0')",
    position_key: hashOf('open'),
    wallet_address: walletsOf,
    created_at: "original.created_at - n * interval '1 second'",
  };
  await copyRows(client, 'positions', { from: original.id, count: sizes.openPositions, columns: position });
  await copyRows(client, 'positions', {
    from: original.id,
    count: sizes.finishedPositions,
    columns: {
      ...position,
      id: "'pos_done' || lpad(n::text, 22, '0')",
      position_key: hashOf('done'),
      market_id: `'mkt_full' || lpad((n % ${sizes.finalizedMarkets} + 1)::text, 22, '0')`,
      status: "'closed'",
      chain_state: "'closed'",
      close_reason: "'closed'",
      closed_at: "original.created_at - n * interval '1 second' + interval '1 hour'",
    },
  });
  // As autovacuum would leave it.
  await client.query('VACUUM ANALYZE');
  await client.end();
}
