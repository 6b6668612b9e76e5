import type { WebSocket } from 'ws';
import { z } from 'zod';
import { wireOrderOf, wireTradeOf } from '../orders/orderWire.ts';
import type { OrderRecord, TradeRecord } from '../orders/records.ts';
import { readFrame } from './readFrame.ts';

const frameSchema = z.looseObject({
  type: z.literal('user'),
  auth: z.looseObject({ apiKey: z.string().optional(), owner: z.string().optional() }).optional(),
  markets: z.array(z.string()).max(10_000).optional(),
});

interface Subscription {
  /** Owner named in orders; null hears everything, which only a simulator allows. */
  readonly owner: string | null;
  /** Condition ids; empty means all. */
  readonly markets: ReadonlySet<string>;
}

/** The private socket: orders and trades of one owner. */
export class UserChannel {
  readonly #subscriptions = new Map<WebSocket, Subscription>();
  tradeIdsOf: (orderId: string) => readonly string[] = () => [];
  nowMs: () => number = Date.now;

  onFrame(socket: WebSocket, frame: string): void {
    const parsed = readFrame(frameSchema, frame);
    if (parsed === null) {
      socket.send('INVALID OPERATION');
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

  #tell(owners: readonly string[], market: string, message: unknown): void {
    for (const [socket, { owner, markets }] of this.#subscriptions) {
      const isMine = owner === null || owners.includes(owner);
      if (isMine && (markets.size === 0 || markets.has(market))) socket.send(JSON.stringify(message));
    }
  }

  order(record: OrderRecord, type: 'PLACEMENT' | 'UPDATE' | 'CANCELLATION'): void {
    this.#tell([record.owner], record.market.definition.conditionId, {
      event_type: 'order',
      ...wireOrderOf(record, this.tradeIdsOf(record.id)),
      type,
      timestamp: this.nowMs().toString(),
    });
  }

  trade(trade: TradeRecord): void {
    const owners = [trade.takerOwner, ...trade.makerFills.map((fill) => fill.owner)];
    this.#tell(owners, trade.market.definition.conditionId, {
      event_type: 'trade',
      ...wireTradeOf(trade),
      timestamp: this.nowMs().toString(),
    });
  }
}
