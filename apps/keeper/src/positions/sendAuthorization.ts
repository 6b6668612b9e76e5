import type { OrderAction, QuotedRisk } from '@core/position';
import type { Lease } from '@core/store';
import type { Address, Hex } from 'viem';
import type { BatchMember } from '../transactions/batchSender.ts';
import type { Authorization, GrantAuthorization, OrderedPurpose } from '../transactions/intentTable.ts';
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
  switch (action.purpose) {
    case 'open':
      return sender.send({ ...request, operation: 'authorize_open', plan: { ...call, details } });
    case 'close': {
      const plan = { ...call, details: { ...details, close: action.serves } };
      return sender.send({ ...request, operation: 'authorize_close', plan });
    }
    case 'unwind': {
      const plan = { ...call, details: { ...details, unwind: unwindIn(action) } };
      return sender.send({ ...request, operation: 'authorize_unwind', plan });
    }
    case 'liquidate':
      return sender.send({ ...request, operation: 'authorize_liquidate', plan: { ...call, details } });
  }
}

/** Return the member of a batch for a sale, under the operation of its purpose. */
export function batchMemberOf(
  { positionKey, action, details }: Pick<AuthorizationCall, 'positionKey'> & SaleDetails,
  batch: Hex,
): BatchMember {
  const member = { subject: positionKey, attempt: action.attempt };
  const plan = { kind: 'member', batch } as const;
  switch (action.purpose) {
    case 'close':
      return {
        ...member,
        operation: 'authorize_close',
        plan: { ...plan, details: { ...details, close: action.serves } },
      };
    case 'unwind': {
      const unwind = { ...plan, details: { ...details, unwind: unwindIn(action) } };
      return { ...member, operation: 'authorize_unwind', plan: unwind };
    }
    case 'liquidate':
      return { ...member, operation: 'authorize_liquidate', plan: { ...plan, details } };
  }
}

interface SaleDetails {
  readonly action: SaleAction;
  readonly details: GrantAuthorization;
}

/** Return what later steps read of an unwind. */
function unwindIn({ reason, rung, isHardExit, bounds }: Extract<SaleAction, { readonly purpose: 'unwind' }>) {
  return { reason, rung, isHardExit, heldTokenUnits: bounds.heldTokenUnits };
}
