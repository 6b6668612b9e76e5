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

/** Action that sells. */
export type SaleAction = Exclude<OrderAction, { readonly purpose: 'open' }>;

/** Send the vault's transaction that authorises an order or a grant, under the operation of its purpose. */
export function sendAuthorization(
  sender: Pick<TransactionSender, 'send'>,
  { positionKey, action, call, details, lease }: AuthorizationCall,
): Promise<SendOutcome> {
  const request = { subject: positionKey, attempt: action.attempt, lease };
  if (action.purpose === 'open') {
    return sender.send({ ...request, operation: 'authorize_open', plan: { ...call, details } });
  }
  const sale = saleIntentOf(action, details);
  switch (sale.operation) {
    case 'authorize_close':
      return sender.send({ ...request, operation: sale.operation, plan: { ...call, details: sale.details } });
    case 'authorize_unwind':
      return sender.send({ ...request, operation: sale.operation, plan: { ...call, details: sale.details } });
    case 'authorize_liquidate':
      return sender.send({ ...request, operation: sale.operation, plan: { ...call, details: sale.details } });
  }
}

/** Return the operation of a sale, and its details with the data of its purpose. */
export function saleIntentOf<Details extends Authorization>(action: SaleAction, details: Details) {
  switch (action.purpose) {
    case 'close':
      return { operation: 'authorize_close', details: { ...details, close: action.serves } } as const;
    case 'unwind': {
      const { reason, rung, isHardExit, bounds } = action;
      const unwind = { reason, rung, isHardExit, heldTokenUnits: bounds.heldTokenUnits };
      return { operation: 'authorize_unwind', details: { ...details, unwind } } as const;
    }
    case 'liquidate':
      return { operation: 'authorize_liquidate', details } as const;
  }
}
