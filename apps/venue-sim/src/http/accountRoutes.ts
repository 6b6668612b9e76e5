import { randomUUID } from 'node:crypto';
import { type Request, type Response, text } from 'express';
import type { Address } from 'viem';
import { z } from 'zod';
import { wireOrderOf, wireTradeOf } from '../orders/orderWire.ts';
import type { OrderRecord, TradeRecord } from '../orders/records.ts';
import type { SimVenue } from '../venue/simVenue.ts';
import { keyOwnerOf } from './credentialRoutes.ts';
import { cursorPageOf, queryText } from './cursorPage.ts';
import type { OrderRoutes } from './orderRoutes.ts';

/** Return true for a record of the caller's key, and for every record when the venue requires no key. */
const isOwn = (response: Response, owners: readonly string[]): boolean => {
  const owner = keyOwnerOf(response);
  return owner === null || owners.includes(owner.apiKey);
};

const ownersOf = (trade: TradeRecord): readonly string[] => [
  trade.takerOwner,
  ...trade.makerFills.map(({ owner }) => owner),
];

/** Return true for a record that matches the query's `market` and `asset_id`. */
function isWanted(request: Request, record: { readonly conditionId: string; readonly tokenId: bigint }): boolean {
  const market = queryText(request, 'market');
  const tokenId = queryText(request, 'asset_id');
  return (
    (market === null || market.toLowerCase() === record.conditionId) &&
    (tokenId === null || tokenId === record.tokenId.toString())
  );
}

function openOrders(venue: SimVenue, request: Request, response: Response): readonly OrderRecord[] {
  const id = queryText(request, 'id')?.toLowerCase();
  return venue.markets.listed
    .flatMap(({ market }) => venue.orders.ledger.restingIn(market))
    .filter((record) => isOwn(response, [record.owner]) && (id === undefined || id === record.id))
    .filter(({ market, order }) =>
      isWanted(request, { conditionId: market.definition.conditionId, tokenId: order.tokenId }),
    );
}

/** Return the trades that match the query, oldest first. */
function trades(venue: SimVenue, request: Request, response: Response): readonly TradeRecord[] {
  const { ledger } = venue.orders;
  const id = queryText(request, 'id');
  const orderId = queryText(request, 'order_id');
  const maker = queryText(request, 'maker_address')?.toLowerCase();
  const [after, before] = [queryText(request, 'after'), queryText(request, 'before')];
  const trades =
    id !== null ? [ledger.trade(id)] : orderId !== null ? ledger.tradesOfOrder(orderId) : [...ledger.trades()];
  return trades
    .filter((trade) => trade !== undefined)
    .filter((trade) => isOwn(response, ownersOf(trade)))
    .filter(
      ({ takerAddress, makerFills }) =>
        maker === undefined ||
        [takerAddress, ...makerFills.map(({ makerAddress }) => makerAddress)].some(
          (address) => address.toLowerCase() === maker,
        ),
    )
    .filter(({ matchMs }) => after === null || matchMs >= Number(after) * 1000)
    .filter(({ matchMs }) => before === null || matchMs <= Number(before) * 1000)
    .filter(({ market: { definition }, outcome }) =>
      isWanted(request, { conditionId: definition.conditionId, tokenId: definition.tokenIds[outcome] }),
    );
}

/** Orders and trades of the caller. */
function dataRoutes({ venue, router, guard }: OrderRoutes): void {
  router.use('/data', guard);
  router.get('/data/order/:id', (request, response) => {
    const { ledger } = venue.orders;
    const record = ledger.order(request.params.id);
    if (record === undefined || !isOwn(response, [record.owner])) {
      response.status(404).json({ error: 'order not found' });
      return;
    }
    response.json(
      wireOrderOf(
        record,
        ledger.tradesOfOrder(record.id).map((trade) => trade.id),
      ),
    );
  });
  router.get('/data/orders', (request, response) => {
    response.json(cursorPageOf(request, openOrders(venue, request, response), (record) => wireOrderOf(record, [])));
  });
  router.get('/data/trades', (request, response) => {
    response.json(cursorPageOf(request, trades(venue, request, response), wireTradeOf));
  });
}

const assetTypes = ['COLLATERAL', 'CONDITIONAL', 'CONDITIONAL-V2'] as const;

/** Parse account and asset of a balance request; null when they are malformed. */
function balanceQuery(venue: SimVenue, request: Request, response: Response) {
  const owner = keyOwnerOf(response)?.address ?? null;
  const assetType = assetTypes.find((type) => type === queryText(request, 'asset_type'));
  const tokenText = queryText(request, 'token_id');
  if (owner === null || assetType === undefined) return null;
  if (assetType === 'COLLATERAL') return { account: makerOf(venue, request, owner), tokenId: null };
  const isToken = tokenText !== null && /^\d{1,78}$/.test(tokenText);
  return isToken ? { account: makerOf(venue, request, owner), tokenId: BigInt(tokenText) } : null;
}

/** Maker of the caller's orders: for signature type 3 its deposit wallet. */
function makerOf(venue: SimVenue, request: Request, owner: Address): Address {
  return queryText(request, 'signature_type') === '3' ? (venue.wallets.walletOf(owner) ?? owner) : owner;
}

/** Routes of cached balances, for a venue that caches them. */
function balanceRoutes({ venue, router, guard }: OrderRoutes): void {
  const { balances } = venue;
  if (balances === null) return;
  router.get('/balance-allowance', guard, (request, response) => {
    const query = balanceQuery(venue, request, response);
    if (query === null) {
      response.status(400).json({ error: 'invalid asset type or token' });
      return;
    }
    const { balanceUnits, allowanceUnits } = balances.balanceOf(query.account, query.tokenId);
    const { exchange } = venue.options.domain;
    response.json({ balance: String(balanceUnits), allowances: { [exchange]: String(allowanceUnits) } });
  });
  router.get('/balance-allowance/update', guard, async (request, response) => {
    const query = balanceQuery(venue, request, response);
    if (query === null) {
      response.status(400).json({ error: 'invalid asset type or token' });
      return;
    }
    await balances.update(query.account, query.tokenId);
    response.status(200).end();
  });
}

const heartbeatSchema = z.looseObject({ heartbeat_id: z.string().nullish() });
const scoringSchema = z.array(z.string()).max(500);

/** Routes without effect on matching: heartbeats, scoring, notifications and builder fees. */
function sideRoutes({ venue, router, guard }: OrderRoutes): void {
  const body = text({ type: () => true, limit: '64kb' });
  const heartbeats = new Map<string, string>();
  for (const path of ['/v1/heartbeats', '/heartbeats']) {
    router.post(path, body, guard, (request, response) => {
      const heartbeatId = heartbeatSchema.safeParse(JSON.parse(String(request.body) || '{}')).data?.heartbeat_id ?? '';
      const caller = keyOwnerOf(response)?.apiKey ?? '';
      const lastHeartbeatId = heartbeats.get(caller);
      if (heartbeatId !== '' && heartbeatId !== lastHeartbeatId) {
        response.status(400).json({ error: 'Invalid heartbeat ID', heartbeat_id: lastHeartbeatId ?? '' });
        return;
      }
      const next = randomUUID();
      heartbeats.set(caller, next);
      response.json({ heartbeat_id: next });
    });
  }
  const isResting = (id: unknown): boolean =>
    typeof id === 'string' && venue.orders.ledger.order(id)?.status === 'LIVE';
  router.get('/order-scoring', guard, (request, response) => {
    response.json({ scoring: isResting(request.query['order_id']) });
  });
  router.post('/orders-scoring', body, guard, (request, response) => {
    const ids = scoringSchema.safeParse(JSON.parse(String(request.body))).data ?? [];
    response.json(Object.fromEntries(ids.map((id) => [id, isResting(id)])));
  });
  router.get('/notifications', guard, (_request, response) => {
    response.json([]);
  });
  router.delete('/notifications', guard, (_request, response) => {
    response.json('OK');
  });
  router.get('/fees/builder-fees/:code', (_request, response) => {
    response.json({ builder_maker_fee_rate_bps: 0, builder_taker_fee_rate_bps: 0 });
  });
  router.get('/builder/trades', (request, response) => {
    const code = queryText(request, 'builder_code')?.toLowerCase();
    const trades = [...venue.orders.ledger.trades()].filter(
      ({ takerOrderId }) => venue.orders.ledger.order(takerOrderId)?.order.builder.toLowerCase() === code,
    );
    response.json(cursorPageOf(request, trades, wireTradeOf));
  });
}

/** Routes of the caller's own orders, trades and balances. */
export function accountRoutes(routes: OrderRoutes): void {
  dataRoutes(routes);
  balanceRoutes(routes);
  sideRoutes(routes);
}
