import { randomBytes } from 'node:crypto';
import { type AttestationRefusal, isTransientRefusal } from '@core/attestation';
import {
  awaitEvent,
  type Consent,
  decideOrder,
  type OrderAction,
  type OrderDecision,
  type Position,
} from '@core/position';
import { type GridOrder, isZero, max, min, rateBps, raw } from '@core/pricing';
import type { Lease } from '@core/store';
import {
  hashVenueOrder,
  OrderSide,
  type PriceAttestation,
  SignatureType,
  toAttestationStruct,
  toVenueOrderStruct,
  type VenueDomain,
  type VenueOrder,
  vaultAbi,
  vaultConstants,
} from '@core/vault';
import type { Logger } from 'pino';
import { type Address, encodeFunctionData, type Hex, zeroHash } from 'viem';
import type { JointConsent } from '../signers/jointConsent.ts';
import type { AskPriceSigners } from '../signers/signatureQuorum.ts';
import type { Intent } from '../transactions/intents.ts';
import type { Authorization, OrderAuthorization, OrderedPurpose } from '../transactions/intentTable.ts';
import type { SendOutcome, TransactionSender } from '../transactions/transactionSender.ts';
import type { VenueBreaker } from '../transactions/venueBreaker.ts';
import type { OrderPost, VenueOrders } from '../transactions/venueOrders.ts';
import type { ObservedPosition } from './observePosition.ts';
import { awayDelayMs, quotedRiskOf, sendAuthorization } from './sendAuthorization.ts';

const saleValiditySeconds = (vaultConstants.saleOrderWindowSeconds * 3) / 4;
/**
 * Half of the vault's limit for an opening and three quarters of that for a sale: a match settles within seconds, and
 * an expired order must end soon.
 */
const orderValiditySeconds: Readonly<Record<OrderedPurpose, number>> = {
  open: vaultConstants.openOrderWindowSeconds / 2,
  close: saleValiditySeconds,
  unwind: saleValiditySeconds,
  liquidate: saleValiditySeconds,
};

const wholeBps = rateBps(10_000n);

export interface AuthorizerDependencies {
  readonly askPriceSigners: AskPriceSigners;
  readonly sender: Pick<TransactionSender, 'send'>;
  readonly orders: Pick<VenueOrders, 'post'>;
  readonly breaker: Pick<VenueBreaker, 'isOpen' | 'remainingMs' | 'remainingOpeningsMs'>;
  readonly vault: Address;
  readonly venueDomain: VenueDomain;
  readonly logger: Logger;
}

/** Authorisation of an action on one of the routes. */
export interface Authorizer {
  authorize(current: ObservedPosition, action: OrderAction, lease: Lease): Promise<AuthorizationResult>;
}

/**
 * Result of an action without an order, the vault's refusal of one, or the wait for its end; null when the next step
 * may follow.
 */
export type AuthorizationResult =
  | Exclude<OrderDecision, { readonly kind: 'send' }>
  | { readonly kind: 'not_authorized'; readonly outcome: Exclude<SendOutcome, { readonly kind: 'included' }> }
  | null;

/** Authorisation of orders: consent of the price signers, the vault's transaction, and the post to the venue. */
export class OrderAuthorizer implements Authorizer {
  readonly #dependencies: AuthorizerDependencies;

  constructor(dependencies: AuthorizerDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Authorise exactly one order and, once that is mined, post it in the same step.
   * @throws VenueFault when the venue may accept the order later: the next step posts it.
   */
  async authorize(current: ObservedPosition, action: OrderAction, lease: Lease): Promise<AuthorizationResult> {
    const { askPriceSigners, sender, orders, logger } = this.#dependencies;
    const { nowMs } = current.observation;
    const pauseMs = this.#venuePauseMs(action);
    // Without a post the vault's order would expire unused.
    if (pauseMs !== null) return { kind: 'wait', reason: 'venue_refuses', untilMs: nowMs + pauseMs };
    const positionKey = current.record.positionKey;
    const { purpose, tokenUnits, attempt } = action;
    const quotedRisk = quotedRiskOf(current, purpose);
    const answer = await askPriceSigners({ positionKey, purpose, tokenUnits, quotedRisk });
    if (answer.kind === 'away') return { kind: 'wait', reason: 'price_signers_away', untilMs: nowMs + awayDelayMs };
    const decided = decideOrder(action, consentOf(answer, current));
    if (decided.kind !== 'send' || answer.kind === 'refused') {
      return decided.kind === 'send' ? null : decided;
    }
    const order = encodedOrderOf(this.#dependencies, current, { action, grid: decided.grid, ...answer });
    const outcome = await sendAuthorization(sender, { positionKey, action, ...order, lease });
    const markPips = raw(answer.attestation.markPips);
    logger.info({ positionKey, purpose, attempt, markPips, outcome: outcome.kind }, 'order authorised');
    if (outcome.kind !== 'included') return { kind: 'not_authorized', outcome };
    const posted = await orders.post(orderPostOf(current.record, { purpose, ...order.details }, lease));
    // A step before the venue reports the order's end would observe nothing new.
    return posted.state === 'broadcast' ? awaitEvent('order_alive', nowMs) : null;
  }

  /** Return the time for which the venue refuses such an order; null while it accepts it. */
  #venuePauseMs({ purpose }: OrderAction): number | null {
    const { breaker } = this.#dependencies;
    const openingsMs = purpose === 'open' ? breaker.remainingOpeningsMs : 0;
    return breaker.isOpen || openingsMs > 0 ? Math.max(openingsMs, breaker.remainingMs) : null;
  }
}

function consentOf(answer: JointConsent | AttestationRefusal, { chain }: ObservedPosition): Consent {
  if (answer.kind === 'refused') {
    return { kind: 'refused', code: answer.code, isTransient: isTransientRefusal(answer.code) };
  }
  const { limitPips, venueFeeBps } = answer.attestation;
  // The fee that the vault reckons a sale's cover with; without a maximum the exchange may take everything.
  const maximumBps = isZero(chain.maxVenueFeeBps) ? wholeBps : chain.maxVenueFeeBps;
  const coverFeeBps = raw(min(wholeBps, max(venueFeeBps, maximumBps)));
  return { kind: 'given', limitPricePips: limitPips, venueFeeBps: raw(venueFeeBps), coverFeeBps };
}

/** Build the call and the details of its intent, with the salt fixed from here on. */
function encodedOrderOf(
  { vault, venueDomain }: Pick<AuthorizerDependencies, 'vault' | 'venueDomain'>,
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
    account: record.accountAddress,
    tokenId: BigInt(record.venueTokenId),
    side: purpose === 'open' ? 'buy' : 'sell',
    nowMs: chain.blockTimeMs,
  });
  const data = encodeFunctionData({
    abi: vaultAbi,
    functionName: 'authorizeOrder',
    args: [
      record.positionKey,
      attestation.purpose,
      toVenueOrderStruct(order),
      BigInt(chain.blockTimeMs / 1_000 + orderValiditySeconds[purpose]),
      toAttestationStruct(attestation),
      signatures,
    ],
  });
  const orderHash = hashVenueOrder(order, venueDomain);
  const details: OrderAuthorization = { order, orderHash, orderType, attempt, decidedAtMs: chain.blockTimeMs };
  return { call: { kind: 'transaction', to: vault, data } as const, details };
}

type PurposedAuthorization = OrderAuthorization & { readonly purpose: OrderedPurpose };

/** Return the post of an authorised order. */
export function orderPostOf(
  { positionKey: subject, venueMarketId }: Pick<Position, 'positionKey' | 'venueMarketId'>,
  { purpose, order, orderHash, orderType, attempt }: PurposedAuthorization,
  lease: Lease,
): OrderPost {
  return { subject, venueMarketId, operation: `post_${purpose}`, attempt, order, orderHash, orderType, lease };
}

/** Return the orders of a position that were authorised or prepared, oldest first. Grants are none. */
export function authorizationsOf(intents: readonly Intent[]): readonly PurposedAuthorization[] {
  return intents.flatMap(({ operation, plan }): readonly PurposedAuthorization[] => {
    switch (operation) {
      case 'authorize_open':
        return plan.kind === 'transaction' ? orderIn(plan.details, 'open') : [];
      case 'authorize_close':
        return orderIn(plan.details, 'close');
      case 'authorize_unwind':
        return orderIn(plan.details, 'unwind');
      case 'authorize_liquidate':
        return orderIn(plan.details, 'liquidate');
      default:
        return [];
    }
  });
}

function orderIn(details: Authorization, purpose: OrderedPurpose): readonly PurposedAuthorization[] {
  return 'order' in details ? [{ ...details, purpose }] : [];
}

/** Identity of an order on the grid. */
interface OrderIdentity {
  readonly account: Address;
  readonly tokenId: bigint;
  readonly side: 'buy' | 'sell';
  readonly nowMs: number;
}

/**
 * Build the venue order of a position account. Its salt is drawn once and stored with the intent before the order is
 * sent: from then on the order's hash makes a repetition harmless.
 */
function venueOrderOf(grid: GridOrder, { account, tokenId, side, nowMs }: OrderIdentity): VenueOrder {
  const isBuy = side === 'buy';
  return {
    // 53 bits: some venues read the salt as a JavaScript number.
    salt: BigInt(`0x${randomBytes(7).toString('hex')}`) >> 3n,
    maker: account,
    signer: account,
    tokenId,
    makerAmount: isBuy ? raw(grid.usdcUnits) : raw(grid.tokenUnits),
    takerAmount: isBuy ? raw(grid.tokenUnits) : raw(grid.usdcUnits),
    side: isBuy ? OrderSide.Buy : OrderSide.Sell,
    signatureType: SignatureType.Erc1271,
    timestamp: BigInt(nowMs),
    metadata: zeroHash,
    builder: zeroHash,
  };
}
