import type { CloseAttempt } from '@core/policy';
import type { GridOrder } from '@core/pricing';
import type { Lease } from '@core/store';
import {
  hashVenueOrder,
  type PriceAttestation,
  toAttestationStruct,
  toVenueOrderStruct,
  type VenueOrder,
  vaultAbi,
} from '@core/vault';
import { type Address, encodeFunctionData, type Hex } from 'viem';
import type { LaneOutcome } from '../effects/transactionLane.ts';
import { type OrderedPurpose, venueOrderOf } from '../orders/venueOrder.ts';
import type { KeeperPorts } from '../ports.ts';
import type { PositionSight } from './observePosition.ts';

/** What an authorisation needs to be posted later, also by another process: kept in its intent. */
export interface AuthorizationDetails {
  readonly order: VenueOrder;
  readonly orderHash: Hex;
  readonly orderType: 'FOK' | 'FAK';
  readonly attempt: number;
  readonly decidedAtMs: number;
  /** Of a close: the request it serves and what the book took of it, for the next one's delay. */
  readonly close?: CloseAttempt;
}

/** Well within the vault's 120 s for an opening and 60 s for a sale: a match is settled in seconds, and a dead order must end soon. */
const orderValiditySeconds: Readonly<Record<OrderedPurpose, bigint>> = { open: 60n, close: 45n, liquidate: 45n };

export interface Authorization {
  readonly purpose: OrderedPurpose;
  readonly grid: GridOrder;
  readonly orderType: 'FOK' | 'FAK';
  readonly attempt: number;
  readonly attestation: PriceAttestation;
  readonly signature: Hex;
  readonly close?: CloseAttempt;
}

/** Sends `authorizeOrder` for exactly one order, which is fixed with its salt in the intent before. */
export async function authorizeOrder(
  ports: KeeperPorts,
  sight: PositionSight,
  authorization: Authorization & { readonly lease: Lease },
): Promise<LaneOutcome> {
  const { purpose, grid, orderType, attempt, attestation, signature, close, lease } = authorization;
  const { record, chain } = sight;
  const order = venueOrderOf(grid, {
    account: record.accountAddress as Address,
    tokenId: BigInt(record.venueTokenId),
    side: purpose === 'open' ? 'buy' : 'sell',
    nowMs: chain.blockTimeMs,
  });
  const validUntil = BigInt(chain.blockTimeMs / 1_000) + orderValiditySeconds[purpose];
  const details: AuthorizationDetails = {
    order,
    orderHash: hashVenueOrder(order, ports.venueDomain),
    orderType,
    attempt,
    decidedAtMs: chain.blockTimeMs,
    ...(close === undefined ? {} : { close }),
  };
  return ports.lane.send({
    subject: record.positionKey,
    operation: `authorize_${purpose}`,
    attempt,
    to: ports.contracts.vault,
    data: encodeFunctionData({
      abi: vaultAbi,
      functionName: 'authorizeOrder',
      args: [
        record.positionKey as Hex,
        attestation.purpose,
        toVenueOrderStruct(order),
        validUntil,
        toAttestationStruct(attestation),
        signature,
      ],
    }),
    details,
    lease,
  });
}

/** An attempt that ended before there was an order: recorded, so that it counts and is not made again at once. */
export async function recordFailedAttempt(
  ports: KeeperPorts,
  sight: PositionSight,
  failure: { readonly operation: string; readonly attempt: number; readonly reason: string; readonly lease: Lease },
): Promise<void> {
  const { store, clock } = ports;
  const { operation, attempt, reason, lease } = failure;
  const { intent } = await store.intents.prepare({
    subject: sight.record.positionKey,
    operation,
    attempt,
    plan: { kind: 'none', details: { decidedAtMs: sight.chain.blockTimeMs } },
    lockName: lease.name,
    fenceToken: lease.fenceToken,
    nowMs: clock.nowMs(),
  });
  const change = { id: intent.id, from: ['prepared'], to: 'dropped', nowMs: clock.nowMs() } as const;
  await store.intents.change({ ...change, outcome: { revert: reason } });
}
