import { type Response, text } from 'express';
import { z } from 'zod';
import type { OrderRecord } from '../orders/records.ts';
import type { SimVenue } from '../venue/simVenue.ts';
import { keyOwnerOf } from './credentialRoutes.ts';
import type { OrderRoutes } from './orderRoutes.ts';

/** Maximum orders in one cancel request. */
const maximumCancels = 3_000;

const orderId = z.string().regex(/^0x[0-9a-fA-F]{64}$/);
const oneSchema = z.looseObject({ orderID: orderId });
const manySchema = z.array(orderId).max(maximumCancels);
const marketSchema = z.looseObject({ market: z.string().optional(), asset_id: z.string().optional() });

/** Return true for an order that the caller's key may cancel: every order when the venue requires no key. */
const isMine = (response: Response, record: OrderRecord): boolean => {
  const owner = keyOwnerOf(response);
  return owner === null || owner.apiKey === record.owner;
};

function cancelAll(venue: SimVenue, response: Response, ids: readonly string[]): void {
  const canceled: string[] = [];
  const notCanceled: Record<string, string> = {};
  for (const id of ids) {
    const record = venue.orders.ledger.order(id);
    const isCanceled = record !== undefined && isMine(response, record) && venue.orders.cancel(id) !== null;
    if (isCanceled) canceled.push(record.id);
    else notCanceled[id] = "order can't be found - already canceled or matched";
  }
  response.json({ canceled, not_canceled: notCanceled });
}

/** Return the ids of the caller's resting orders that match a filter. */
const restingIds = (venue: SimVenue, response: Response, isWanted: (record: OrderRecord) => boolean): string[] =>
  venue.markets.listed
    .flatMap(({ market }) => venue.orders.ledger.restingIn(market))
    .filter((record) => isMine(response, record) && isWanted(record))
    .map(({ id }) => id);

const parsed = <Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> | null => {
  try {
    return schema.safeParse(JSON.parse(String(body))).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

/** Routes that cancel one order, several, all, or those of a market. */
export function cancelRoutes({ venue, router, guard }: OrderRoutes): void {
  const body = text({ type: () => true, limit: '512kb' });
  const refuse = (response: Response): void => {
    response.status(400).json({ error: 'Invalid orderID' });
  };
  router.delete('/order', body, guard, (request, response) => {
    const one = parsed(oneSchema, request.body);
    if (one === null) refuse(response);
    else cancelAll(venue, response, [one.orderID]);
  });
  router.delete('/orders', body, guard, (request, response) => {
    const ids = parsed(manySchema, request.body);
    if (ids === null) refuse(response);
    else cancelAll(venue, response, ids);
  });
  router.delete('/cancel-all', body, guard, (_request, response) => {
    cancelAll(
      venue,
      response,
      restingIds(venue, response, () => true),
    );
  });
  router.delete('/cancel-market-orders', body, guard, (request, response) => {
    const filter = parsed(marketSchema, request.body);
    if (filter === null) {
      refuse(response);
      return;
    }
    const { market, asset_id: tokenId } = filter;
    const isWanted = (record: OrderRecord): boolean =>
      (market === undefined || market === '' || record.market.definition.conditionId === market.toLowerCase()) &&
      (tokenId === undefined || tokenId === '' || record.order.tokenId.toString() === tokenId);
    cancelAll(venue, response, restingIds(venue, response, isWanted));
  });
}
