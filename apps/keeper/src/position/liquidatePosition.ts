import { leastLimitOf, type PositionAction } from '@core/policy';
import { midPriceOf, pricePips, raw, tokenUnits } from '@core/pricing';
import type { Lease } from '@core/store';
import type { Hex } from 'viem';
import { closableTokensOf, closingOrderOf } from '../orders/closingOrder.ts';
import type { KeeperPorts } from '../ports.ts';
import { authorizeOrder } from './authorizeOrder.ts';
import type { PositionSight } from './observePosition.ts';

type LiquidateAction = Extract<PositionAction, { kind: 'liquidate' }>;

const noMinimum = pricePips(0n);

/**
 * One order to sell what the book takes of a position that reached its liquidation price, never below
 * mark × (1 − slip): what it does not take now is sold by the next one. Without the signer's consent nothing happens.
 */
export async function liquidatePosition(
  ports: KeeperPorts,
  sight: PositionSight,
  { action, lease }: { readonly action: LiquidateAction; readonly lease: Lease },
): Promise<void> {
  const { record, chain } = sight;
  const restMs = ports.policy.execution.liquidationRetryDelayMs;
  if (ports.saleWaits.isResting('liquidate', record.positionKey, { nowMs: chain.blockTimeMs, restMs })) return;
  const book = await ports.venue.book(record.venueTokenId);
  const mark = book === null ? null : midPriceOf(book);
  if (book === null || mark === null) return wait(ports, sight, 'book_one_sided');
  const held = tokenUnits(chain.bookedTokenUnits);
  const minPricePips = leastLimitOf(mark, ports.policy);
  const size = closableTokensOf(action.tokenUnits, held, { bids: book.bids, minPricePips });
  if (raw(size) === 0n) return wait(ports, sight, 'book_too_thin');
  const positionKey = record.positionKey as Hex;
  const answer = await ports.attestations.attest({ positionKey, purpose: 'liquidate', tokenUnits: size });
  if (answer.kind === 'refused') return wait(ports, sight, answer.code);
  const { attestation, signature } = answer;
  const grid = closingOrderOf({
    tokenUnits: size,
    heldTokenUnits: held,
    minPricePips: noMinimum,
    limitPricePips: attestation.limitPips,
    tickPricePips: await ports.venue.tickSize(record.venueTokenId),
  });
  ports.saleWaits.forget('liquidate', record.positionKey);
  const { attempt } = action;
  const authorization = { purpose: 'liquidate', grid, orderType: 'FAK', attempt, attestation, signature } as const;
  const outcome = await authorizeOrder(ports, sight, { ...authorization, lease });
  const { markPips } = attestation;
  ports.logger.info({ positionKey, attempt, markPips: raw(markPips), outcome: outcome.kind }, 'liquidation authorised');
}

function wait(ports: KeeperPorts, { record, chain }: PositionSight, reason: string): void {
  const { positionKey } = record;
  const isNew = ports.saleWaits.note('liquidate', positionKey, { reason, seenAtMs: chain.blockTimeMs });
  if (isNew) ports.logger.warn({ positionKey, reason }, 'liquidation waits');
}
