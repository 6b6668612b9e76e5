import { parseExactJson } from '@core/venue';
import { type RequestHandler, type Response, type Router, text } from 'express';
import { orderBodySchema, wireOrderOf, wireTradeOf } from '../orders/orderWire.ts';
import { formatSize } from '../units/decimals.ts';
import type { SimVenue } from '../venue/simVenue.ts';

interface OrderRoutes {
  readonly venue: SimVenue;
  readonly router: Router;
  /** Refuses requests without valid credentials, where the venue asks for them. */
  readonly guard: RequestHandler;
}

async function submitOrder(venue: SimVenue, body: unknown, response: Response): Promise<void> {
  const parsed = orderBodySchema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    response.status(400).json({ error: `invalid order: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}` });
    return;
  }
  const { order, orderType, owner } = parsed.data;
  const { expiration = 0, ...signed } = order;
  const apiKey: unknown = response.locals['apiKey'];
  if (apiKey !== undefined && apiKey !== owner) {
    response.status(400).json({ error: 'the order owner has to be the owner of the API key' });
    return;
  }
  const answer = await venue.orders.submit({ order: signed, kind: orderType, owner, expirationSeconds: expiration });
  if (answer.kind === 'refused') {
    response
      .status(400)
      .json({ success: false, errorMsg: answer.text, error: answer.text, orderID: answer.orderId ?? '' });
    return;
  }
  const { record, status } = answer;
  const isBuy = record.side === 'BUY';
  const [making, taking] = isBuy
    ? [record.matchedUsdcUnits, record.matchedTokenUnits]
    : [record.matchedTokenUnits, record.matchedUsdcUnits];
  response.json({
    success: true,
    errorMsg: '',
    orderID: record.id,
    status,
    makingAmount: making === 0n ? '' : formatSize(making),
    takingAmount: taking === 0n ? '' : formatSize(taking),
    tradeIDs: venue.orders.ledger.tradesOfOrder(record.id).map((trade) => trade.id),
  });
}

/** Orders and trades: the private endpoints. */
export function orderRoutes({ venue, router, guard }: OrderRoutes): void {
  const body = text({ type: () => true, limit: '64kb' });
  router.post('/order', body, guard, async (request, response) => {
    let parsed: unknown;
    try {
      parsed = parseExactJson(String(request.body));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      response.status(400).json({ error: 'invalid order: body is no JSON' });
      return;
    }
    await submitOrder(venue, parsed, response);
  });
  router.delete('/order', body, guard, (request, response) => {
    const match = /0x[0-9a-fA-F]{64}/.exec(String(request.body));
    const id = match?.[0] ?? '';
    const canceled = venue.orders.cancel(id);
    response.json({
      canceled: canceled === null ? [] : [canceled.id],
      not_canceled: canceled === null ? { [id]: 'order is not in the book' } : {},
    });
  });
  router.use('/data', guard);
  router.get('/data/order/:id', (request, response) => {
    const record = venue.orders.ledger.order(request.params.id);
    if (record === undefined) response.status(404).json({ error: 'order not found' });
    else
      response.json(
        wireOrderOf(
          record,
          venue.orders.ledger.tradesOfOrder(record.id).map((trade) => trade.id),
        ),
      );
  });
  router.get('/data/orders', (request, response) => {
    const market = request.query['market'];
    const found = typeof market === 'string' ? venue.markets.byCondition(market) : undefined;
    const records = found === undefined ? [] : venue.orders.ledger.restingIn(found.market);
    response.json({ data: records.map((record) => wireOrderOf(record, [])), next_cursor: 'LTE=' });
  });
  router.get('/data/trades', (request, response) => {
    const { id, order_id: orderId, market } = request.query;
    const trades =
      typeof id === 'string'
        ? [venue.orders.ledger.trade(id)].filter((trade) => trade !== undefined)
        : typeof orderId === 'string'
          ? venue.orders.ledger.tradesOfOrder(orderId)
          : [...venue.orders.ledger.trades()].filter(
              (trade) => typeof market !== 'string' || trade.market.definition.conditionId === market.toLowerCase(),
            );
    response.json(trades.slice(-500).map(wireTradeOf));
  });
}
