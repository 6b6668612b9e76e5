import type { OrderAction, QuotedRisk } from '@core/position';
import type { Lease } from '@core/store';
import type { Address, Hex } from 'viem';
import type { Authorization, OrderedPurpose } from '../transactions/intentTable.ts';
import type { SendOutcome, TransactionSender } from '../transactions/transactionSender.ts';
import type { ObservedPosition } from './observePosition.ts';

/** Delay before price signers that are away are asked again; they are probed every second. */
export const awayDelayMs = 1_000;

/**
 * Return the quoted risk for an unwind, the only purpose that depends on it; null for an unsigned one, which the
 * signers would ignore.
 */
export function quotedRiskOf({ record }: ObservedPosition, purpose: OrderedPurpose): QuotedRisk | null {
  const { quotedRisk } = record;
  return purpose === 'unwind' && quotedRisk !== null && quotedRisk.signature !== '' ? quotedRisk : null;
}

/** Authorisation to send: its call, and the data that later steps read. */
export interface AuthorizationCall {
  readonly positionKey: Hex;
  readonly action: OrderAction;
  readonly call: { readonly kind: 'transaction'; readonly to: Address; readonly data: Hex };
  readonly details: Authorization;
  readonly lease: Lease;
}

/** Send the vault's transaction that authorises an order or a grant, under the operation of its purpose. */
export function sendAuthorization(
  sender: Pick<TransactionSender, 'send'>,
  { positionKey, action, call, details, lease }: AuthorizationCall,
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
