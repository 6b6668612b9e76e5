import type { PositionAction } from '@core/policy';
import { raw, subtract, usdcUnits, walkAsks } from '@core/pricing';
import type { Lease } from '@core/store';
import type { Hex } from 'viem';
import { openingOrderOf } from '../orders/openingOrder.ts';
import type { KeeperPorts } from '../ports.ts';
import { authorizeOrder, recordFailedAttempt } from './authorizeOrder.ts';
import type { PositionSight } from './observePosition.ts';
import { isPassingRefusal } from './refusals.ts';

type OpenAction = Extract<PositionAction, { kind: 'authorize_open' }>;

/**
 * One attempt to open: the size from the live book, the price signer's consent for it, an order within every bound of the
 * position, and the vault's authorisation. An attempt that the market or the signer refuses is recorded and counts.
 */
export async function openPosition(
  ports: KeeperPorts,
  sight: PositionSight,
  { action, lease }: { readonly action: OpenAction; readonly lease: Lease },
): Promise<void> {
  const { record, chain } = sight;
  const fail = (reason: string): Promise<void> =>
    recordFailedAttempt(ports, sight, { operation: 'authorize_open', attempt: action.attempt, reason, lease });
  const book = await ports.venue.book(record.venueTokenId);
  const tick = await ports.venue.tickSize(record.venueTokenId);
  const walk = walkAsks({ asks: book?.asks ?? [], notionalUsdcUnits: action.notionalUsdcUnits });
  if (raw(walk.tokenUnits) === 0n) {
    return fail('book_empty');
  }
  const answer = await ports.attestations.attest({
    positionKey: record.positionKey as Hex,
    purpose: 'open',
    tokenUnits: walk.tokenUnits,
  });
  if (answer.kind === 'refused') {
    // A feed that is still filling says nothing about the market: the window of the opening bounds the waiting.
    return isPassingRefusal(answer.code) ? undefined : fail(answer.code);
  }
  const { attestation, signature } = answer;
  const filled = usdcUnits(chain.filledUsdcUnits + raw(sight.observation.liveOrder?.filledUsdcUnits ?? usdcUnits(0n)));
  const order = openingOrderOf({
    dueUsdcUnits: action.notionalUsdcUnits,
    openUsdcUnits: subtract(record.quotedNotionalUsdcUnits, filled),
    notionalUsdcUnits: record.quotedNotionalUsdcUnits,
    minPositionTokenUnits: record.minPositionTokenUnits,
    venueFeeUsdcUnits: record.quotedVenueFeeUsdcUnits,
    limitPricePips: attestation.limitPips,
    venueFeeBps: raw(attestation.venueFeeBps),
    tickPricePips: tick,
  });
  if (order.kind !== 'order') {
    return fail(order.kind);
  }
  const { orderType, attempt } = action;
  const authorization = { purpose: 'open', grid: order, orderType, attempt, attestation, signature, lease } as const;
  const outcome = await authorizeOrder(ports, sight, authorization);
  ports.logger.info({ positionKey: record.positionKey, attempt, outcome: outcome.kind }, 'opening authorised');
}
