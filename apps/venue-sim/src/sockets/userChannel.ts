import type { WebSocket } from 'ws';
import { z } from 'zod';
import type { ApiKeys } from '../credentials/apiKeys.ts';
import { wireKilledOrderOf, wireOrderEventOf, wireTradeEventOf } from '../orders/orderWire.ts';
import type { OrderRecord, TradeRecord } from '../orders/records.ts';
import { readSubscription } from './readSubscription.ts';

const frameSchema = z.looseObject({
  type: z.literal('user'),
  auth: z
    .looseObject({
      apiKey: z.string().optional(),
      owner: z.string().optional(),
      secret: z.string().optional(),
      passphrase: z.string().optional(),
    })
    .optional(),
  markets: z.array(z.string()).max(10_000).optional(),
});

/** Close code of a subscription without valid credentials. */
const policyViolation = 1008;

interface Subscription {
  /** Owner of the orders; null receives everything, which only a simulator allows. */
  readonly owner: string | null;
  /** Condition ids; empty means all. */
  readonly markets: ReadonlySet<string>;
}

/** Private socket with the orders and trades of one owner. */
export class UserChannel {
  readonly #subscriptions = new Map<WebSocket, Subscription>();
  tradeIdsOf: (orderId: string) => readonly string[] = () => [];
  nowMs: () => number = Date.now;
  /** Return true for credentials of an account; true for all when private endpoints require none. */
  isAdmitted: ApiKeys['areValid'] = () => true;

  onFrame(socket: WebSocket, frame: string): void {
    const parsed = readSubscription(frameSchema, { socket, frame });
    if (parsed === null) return;
    if (!this.isAdmitted(parsed.auth)) {
      socket.close(policyViolation, 'invalid credentials');
      return;
    }
    this.#subscriptions.set(socket, {
      owner: parsed.auth?.apiKey ?? parsed.auth?.owner ?? null,
      markets: new Set((parsed.markets ?? []).map((market) => market.toLowerCase())),
    });
  }

  drop(socket: WebSocket): void {
    this.#subscriptions.delete(socket);
  }

  #send(owners: readonly string[], market: string, message: unknown): void {
    for (const [socket, { owner, markets }] of this.#subscriptions) {
      const isMine = owner === null || owners.includes(owner);
      if (isMine && (markets.size === 0 || markets.has(market))) socket.send(JSON.stringify(message));
    }
  }

  order(record: OrderRecord, type: 'PLACEMENT' | 'UPDATE' | 'CANCELLATION'): void {
    this.#send([record.owner], record.market.definition.conditionId, {
      event_type: 'order',
      ...wireOrderEventOf(record, this.tradeIdsOf(record.id)),
      type,
      timestamp: this.nowMs().toString(),
    });
  }

  killed(record: OrderRecord, reason: string): void {
    this.#send([record.owner], record.market.definition.conditionId, {
      event_type: 'order',
      ...wireKilledOrderOf(record, reason),
      type: 'CANCELLATION',
      timestamp: this.nowMs().toString(),
    });
  }

  trade(trade: TradeRecord): void {
    const owners = [trade.takerOwner, ...trade.makerFills.map((fill) => fill.owner)];
    this.#send(owners, trade.market.definition.conditionId, {
      event_type: 'trade',
      ...wireTradeEventOf(trade),
      timestamp: this.nowMs().toString(),
    });
  }
}
