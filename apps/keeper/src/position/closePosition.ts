import type { PositionAction } from '@core/policy';
import { raw, tokenUnits, usdcUnits } from '@core/pricing';
import type { Lease } from '@core/store';
import type { Hex } from 'viem';
import { closableTokensOf, closingOrderOf, isPartCovered } from '../orders/closingOrder.ts';
import type { KeeperPorts } from '../ports.ts';
import { authorizeOrder, recordFailedAttempt } from './authorizeOrder.ts';
import type { PositionSight } from './observePosition.ts';
import { isPassingRefusal } from './refusals.ts';

type CloseAction = Extract<PositionAction, { kind: 'authorize_close' }>;

/** One attempt to sell what its owner asked to close, sized to the live bids at his price. */
export async function closePosition(
  ports: KeeperPorts,
  sight: PositionSight,
  { action, lease }: { readonly action: CloseAction; readonly lease: Lease },
): Promise<void> {
  const { record, chain } = sight;
  const { attempt, minPricePips } = action;
  const fail = (reason: string): Promise<void> =>
    recordFailedAttempt(ports, sight, { operation: 'authorize_close', attempt, reason, lease });
  const book = await ports.venue.book(record.venueTokenId);
  const tick = await ports.venue.tickSize(record.venueTokenId);
  const held = tokenUnits(chain.bookedTokenUnits);
  const size = closableTokensOf(action.tokenUnits, held, { bids: book?.bids ?? [], minPricePips });
  if (raw(size) === 0n) {
    return fail('book_too_thin');
  }
  const answer = await ports.attestations.attest({
    positionKey: record.positionKey as Hex,
    purpose: 'close',
    tokenUnits: size,
  });
  if (answer.kind === 'refused') {
    return isPassingRefusal(answer.code) ? undefined : fail(answer.code);
  }
  const { attestation, signature } = answer;
  const grid = closingOrderOf({
    tokenUnits: size,
    heldTokenUnits: held,
    minPricePips,
    limitPricePips: attestation.limitPips,
    tickPricePips: tick,
  });
  const isPart = chain.bookedTokenUnits - raw(grid.tokenUnits) >= 10_000n;
  const cover = {
    limitPricePips: attestation.limitPips,
    venueFeeBps: raw(attestation.venueFeeBps),
    heldTokenUnits: held,
    debtUsdcUnits: usdcUnits(chain.debtUsdcUnits),
  };
  if (isPart && !isPartCovered(cover)) {
    return fail('sale_below_debt');
  }
  const authorization = { purpose: 'close', grid, orderType: 'FOK', attempt, attestation, signature, lease } as const;
  const outcome = await authorizeOrder(ports, sight, authorization);
  ports.logger.info({ positionKey: record.positionKey, attempt, outcome: outcome.kind }, 'closing authorised');
}
