import { type CloseAttempt, isCloseRetryDue, type PositionAction } from '@core/policy';
import { raw, tokenUnits, usdcUnits } from '@core/pricing';
import type { IntentRecord, Lease } from '@core/store';
import type { Hex } from 'viem';
import { planOf } from '../effects/transactionLane.ts';
import { closableTokensOf, closingOrderOf, isCloseCovered } from '../orders/closingOrder.ts';
import type { KeeperPorts } from '../ports.ts';
import { type AuthorizationDetails, authorizeOrder } from './authorizeOrder.ts';
import type { PositionSight } from './observePosition.ts';

type CloseAction = Extract<PositionAction, { kind: 'authorize_close' }>;

/**
 * One order to sell what its owner asked to close, sized to the live bids at his price. What cannot be sold now, or only
 * below the debt, waits without a trace: the request stands until its owner withdraws it or the market resolves.
 */
export async function closePosition(
  ports: KeeperPorts,
  sight: PositionSight,
  { action, lease }: { readonly action: CloseAction; readonly lease: Lease },
): Promise<void> {
  const { record, chain } = sight;
  const { execution } = ports.policy;
  const nowMs = chain.blockTimeMs;
  if (ports.saleWaits.isResting('close', record.positionKey, { nowMs, restMs: execution.retryDelayMs })) return;
  const { attempt, minPricePips } = action;
  const book = await ports.venue.book(record.venueTokenId);
  const tick = await ports.venue.tickSize(record.venueTokenId);
  const held = tokenUnits(chain.bookedTokenUnits);
  const size = closableTokensOf(action.tokenUnits, held, { bids: book?.bids ?? [], minPricePips });
  if (raw(size) === 0n) return wait(ports, sight, 'book_too_thin');
  const requestedTokenUnits = tokenUnits(chain.closeTokenUnits);
  const close: CloseAttempt = { decidedAtMs: nowMs, requestedTokenUnits, minPricePips, reachTokenUnits: size };
  if (!isCloseRetryDue(closeAttemptsOf(sight.intents), close, execution)) return wait(ports, sight, 'retry_later');
  const answer = await ports.attestations.attest({
    positionKey: record.positionKey as Hex,
    purpose: 'close',
    tokenUnits: size,
  });
  if (answer.kind === 'refused') return wait(ports, sight, answer.code);
  const { attestation, signature } = answer;
  const cover = {
    limitPricePips: attestation.limitPips,
    venueFeeBps: raw(attestation.venueFeeBps),
    heldTokenUnits: held,
    soldTokenUnits: size,
    debtUsdcUnits: usdcUnits(chain.debtUsdcUnits),
  };
  if (!isCloseCovered(cover)) return wait(ports, sight, 'sale_below_debt');
  const grid = closingOrderOf({
    tokenUnits: size,
    heldTokenUnits: held,
    minPricePips,
    limitPricePips: attestation.limitPips,
    tickPricePips: tick,
  });
  ports.saleWaits.forget('close', record.positionKey);
  const authorization = { purpose: 'close', grid, orderType: 'FOK', attempt, attestation, signature, close } as const;
  const outcome = await authorizeOrder(ports, sight, { ...authorization, lease });
  ports.logger.info({ positionKey: record.positionKey, attempt, outcome: outcome.kind }, 'closing authorised');
}

function wait(ports: KeeperPorts, { record, chain }: PositionSight, reason: string): void {
  const isNew = ports.saleWaits.note('close', record.positionKey, { reason, seenAtMs: chain.blockTimeMs });
  if (isNew) ports.logger.info({ positionKey: record.positionKey, reason }, 'closing waits');
}

/** The orders that were sent, or refused by the vault, for closes of a position. */
export function closeAttemptsOf(intents: readonly IntentRecord[]): readonly CloseAttempt[] {
  return intents
    .filter(({ operation }) => operation === 'authorize_close')
    .flatMap((intent) => (planOf(intent).details as Partial<AuthorizationDetails>).close ?? []);
}
