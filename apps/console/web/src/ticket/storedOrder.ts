import { type StoredValue, storedValueOf } from '../browserStorage.ts';
import type { TicketOrder } from './ticketOrder.ts';

const isWhole = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;

function isOrder(json: unknown): json is TicketOrder {
  const { side, amount, amountKind, leverageBps, slippageBps } = Object(json);
  return (
    (side === 'yes' || side === 'no') &&
    typeof amount === 'string' &&
    (amountKind === 'size' || amountKind === 'collateral') &&
    isWhole(leverageBps) &&
    isWhole(slippageBps)
  );
}

/** Return the inputs of a market's ticket in this tab: they are there again after a reload. */
export const storedOrderOf = (ticker: string): StoredValue<TicketOrder> =>
  storedValueOf({
    area: 'sessionStorage',
    name: `ticket:${ticker}`,
    parse: (json) => (isOrder(json) ? json : null),
  });
