import {
  type Consent,
  decideOrder,
  type OrderAction,
  type OrderDecision,
  type QuotedRisk,
  waitForWord,
} from '@core/position';
import { type GridOrder, raw } from '@core/pricing';
import type { Lease } from '@core/store';
import {
  type AttestationRefusal,
  hashVenueOrder,
  isPassingRefusal,
  type PriceAttestation,
  toAttestationStruct,
  toVenueOrderStruct,
  type VenueDomain,
  vaultAbi,
  vaultConstants,
} from '@core/vault';
import type { Logger } from 'pino';
import { type Address, encodeFunctionData, type Hex } from 'viem';
import type { JointConsent } from '../signers/jointConsent.ts';
import type { AskPriceSigners } from '../signers/signatureQuorum.ts';
import type { Intent } from '../transactions/intents.ts';
import type { Authorization, OrderedPurpose } from '../transactions/intentTable.ts';
import type { SendOutcome, TransactionSender } from '../transactions/transactionSender.ts';
import type { OrderPost, VenueOrders } from '../transactions/venueOrders.ts';
import type { ObservedPosition } from './observePosition.ts';
import { venueOrderOf } from './venueOrder.ts';

const saleValiditySeconds = (vaultConstants.saleOrderWindowSeconds * 3) / 4;
/**
 * Half of what the vault allows an opening and three quarters of what it allows a sale: a match is settled in seconds,
 * and an expired order must end soon.
 */
const orderValiditySeconds: Readonly<Record<OrderedPurpose, number>> = {
  open: vaultConstants.openOrderWindowSeconds / 2,
  close: saleValiditySeconds,
  unwind: saleValiditySeconds,
  liquidate: saleValiditySeconds,
};

/** Whether the price signers answer is known every second. */
const awayDelayMs = 1_000;

/**
 * Asks for the price signers' consent, sends the authorisation of exactly one order and, as soon as the vault allows
 * it, the order: no look lies between the two. Returns a wait for the order's end, or what came of no order.
 *
 * @throws VenueFault when the venue may take the order later: the next look posts it.
 */
export type AuthorizeOrder = (
  seen: ObservedPosition,
  action: OrderAction,
  lease: Lease,
) => Promise<Exclude<OrderDecision, { readonly kind: 'send' }> | null>;

export interface AuthorizerOptions {
  readonly askPriceSigners: AskPriceSigners;
  readonly sender: TransactionSender;
  readonly orders: Pick<VenueOrders, 'post'>;
  readonly vault: Address;
  readonly venueDomain: VenueDomain;
  readonly logger: Logger;
}

export function orderAuthorizer(options: AuthorizerOptions): AuthorizeOrder {
  const { askPriceSigners, orders, logger } = options;
  return async (seen, action, lease) => {
    const positionKey = seen.record.positionKey as Hex;
    const { purpose, tokenUnits, attempt } = action;
    const answer = await askPriceSigners({
      positionKey,
      purpose,
      tokenUnits,
      quotedRisk: quotedRiskOf(seen, purpose),
    });
    if (answer.kind === 'away') {
      return { kind: 'wait', reason: 'price_signers_away', untilMs: seen.observation.nowMs + awayDelayMs };
    }
    const decided = decideOrder(action, consentOf(answer));
    if (decided.kind !== 'send' || answer.kind === 'refused') {
      return decided.kind === 'send' ? null : decided;
    }
    const order = encodedOrderOf(options, seen, { action, grid: decided.grid, ...answer });
    const { kind } = await sendAuthorization(options.sender, { positionKey, action, ...order, lease });
    const markPips = raw(answer.attestation.markPips);
    logger.info({ positionKey, purpose, attempt, markPips, outcome: kind }, 'order authorised');
    if (kind !== 'included') return null;
    const posted = await orders.post(orderPostOf(positionKey, { purpose, ...order.details }, lease));
    // A look before the venue says how it ended would find nothing.
    return posted.state === 'broadcast' ? waitForWord('order_alive', seen.observation.nowMs) : null;
  };
}

/** Only an unwind depends on it. What was quoted before it was signed is not believed anyway. */
function quotedRiskOf({ record }: ObservedPosition, purpose: OrderedPurpose): QuotedRisk | null {
  const { quotedRisk } = record;
  return purpose === 'unwind' && quotedRisk !== null && quotedRisk.signature !== '' ? quotedRisk : null;
}

function consentOf(answer: JointConsent | AttestationRefusal): Consent {
  if (answer.kind === 'refused') {
    return { kind: 'refused', code: answer.code, passesByItself: isPassingRefusal(answer.code) };
  }
  const { limitPips, venueFeeBps } = answer.attestation;
  return { kind: 'given', limitPricePips: limitPips, venueFeeBps: raw(venueFeeBps) };
}

/** The call, and what its intent keeps of the order: from here on its salt is fixed. */
function encodedOrderOf(
  { vault, venueDomain }: AuthorizerOptions,
  { record, chain }: ObservedPosition,
  consented: {
    readonly action: OrderAction;
    readonly grid: GridOrder;
    readonly attestation: PriceAttestation;
    readonly signatures: Hex;
  },
) {
  const { action, grid, attestation, signatures } = consented;
  const { purpose, orderType, attempt } = action;
  const order = venueOrderOf(grid, {
    account: record.accountAddress as Address,
    tokenId: BigInt(record.venueTokenId),
    side: purpose === 'open' ? 'buy' : 'sell',
    nowMs: chain.blockTimeMs,
  });
  const data = encodeFunctionData({
    abi: vaultAbi,
    functionName: 'authorizeOrder',
    args: [
      record.positionKey as Hex,
      attestation.purpose,
      toVenueOrderStruct(order),
      BigInt(chain.blockTimeMs / 1_000 + orderValiditySeconds[purpose]),
      toAttestationStruct(attestation),
      signatures,
    ],
  });
  const orderHash = hashVenueOrder(order, venueDomain);
  const details: Authorization = { order, orderHash, orderType, attempt, decidedAtMs: chain.blockTimeMs };
  return { call: { kind: 'transaction', to: vault, data } as const, details };
}

function sendAuthorization(
  sender: TransactionSender,
  {
    positionKey,
    action,
    call,
    details,
    lease,
  }: ReturnType<typeof encodedOrderOf> & {
    readonly positionKey: Hex;
    readonly action: OrderAction;
    readonly lease: Lease;
  },
): Promise<SendOutcome> {
  const request = { subject: positionKey, attempt: action.attempt, lease };
  switch (action.purpose) {
    case 'open':
      return sender.send({ ...request, operation: 'authorize_open', plan: { ...call, details } });
    case 'close': {
      const plan = { ...call, details: { ...details, close: action.serves } };
      return sender.send({ ...request, operation: 'authorize_close', plan });
    }
    case 'unwind': {
      const { reason, rung, isHardExit, bounds } = action;
      const unwind = { reason, rung, isHardExit, heldTokenUnits: bounds.heldTokenUnits };
      const plan = { ...call, details: { ...details, unwind } };
      return sender.send({ ...request, operation: 'authorize_unwind', plan });
    }
    case 'liquidate':
      return sender.send({ ...request, operation: 'authorize_liquidate', plan: { ...call, details } });
  }
}

type PurposedAuthorization = Authorization & { readonly purpose: OrderedPurpose };

/** The order of an authorisation, as the venue is to get it. */
export function orderPostOf(
  subject: string,
  { purpose, order, orderHash, orderType, attempt }: PurposedAuthorization,
  lease: Lease,
): OrderPost {
  return { subject, operation: `post_${purpose}`, attempt, order, orderHash, orderType, lease };
}

/** The orders that were authorised for a position, or would have been, oldest first. */
export function authorizationsOf(intents: readonly Intent[]): readonly PurposedAuthorization[] {
  return intents.flatMap(({ operation, plan }): readonly PurposedAuthorization[] => {
    switch (operation) {
      case 'authorize_open':
        return plan.kind === 'transaction' ? [{ ...plan.details, purpose: 'open' }] : [];
      case 'authorize_close':
        return [{ ...plan.details, purpose: 'close' }];
      case 'authorize_unwind':
        return [{ ...plan.details, purpose: 'unwind' }];
      case 'authorize_liquidate':
        return [{ ...plan.details, purpose: 'liquidate' }];
      default:
        return [];
    }
  });
}
