import type { MarketRecord } from '@core/market';
import { samplePosition } from '@core/position/testing';
import type { Client } from 'pg';
import { exitOf, type TestStack } from './startTestStack.ts';

/** A market that can be traded, found by a keeper that has ended again: what is filled in now, the next one reads. */
export async function quietMarket(stack: TestStack): Promise<MarketRecord> {
  const keeper = stack.spawnKeeper();
  const market = await stack.tradableMarket();
  keeper.kill('SIGTERM');
  await exitOf(keeper);
  return market;
}

/** Fills the tables with finished markets, and with open positions of one market that owe and are never due. */
export async function fillIdle(
  place: { readonly stack: TestStack; readonly client: Client; readonly market: MarketRecord },
  { marketCount, positionCount }: { readonly marketCount: number; readonly positionCount: number },
): Promise<void> {
  const { stack, client, market } = place;
  await client.query(
    `INSERT INTO markets SELECT (jsonb_populate_record(m, jsonb_build_object('id', 'mkt_f' || n,
       'ticker', 'finished-' || n, 'venue_market_id', 'finished-' || n, 'status', 'finalized',
       'payout_denominator', '1', 'payout_numerators', '{1,0}'::text[],
       'yes_token_id', n || '1', 'no_token_id', n || '2'))).*
     FROM markets AS m, generate_series(1, $2::integer) AS n WHERE m.id = $1`,
    [market.id, marketCount],
  );
  const position = samplePosition(1, {
    marketId: market.id,
    venueMarketId: market.venueMarketId,
    venueTokenId: market.yesTokenId,
    status: 'open',
    chainState: 'open',
  });
  await stack.store.positions.put({ position, transactions: [], unwinds: [], partialCloses: [], ledger: [] });
  // A debt of a cent per token: followed, and never due in a market worth a quarter or more.
  await client.query(
    `INSERT INTO positions SELECT (jsonb_populate_record(p, jsonb_build_object('id', 'pos_i' || n,
       'position_key', '0xab' || lpad(to_hex(n), 62, '0'), 'principal_usdc_units', p.token_units / 100))).*
     FROM positions AS p, generate_series(1, $2::integer) AS n WHERE p.id = $1`,
    [position.id, positionCount],
  );
  await stack.store.positions.remove(position.positionKey);
  await client.query('ANALYZE');
}
