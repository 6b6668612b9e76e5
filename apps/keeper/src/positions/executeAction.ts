import { nextUnwindRefusal, type OrderAction, type PositionAction, type Wait } from '@core/position';
import type { Lease } from '@core/store';
import { vaultAbi } from '@core/vault';
import type { Logger } from 'pino';
import { type Address, encodeFunctionData, type Hex } from 'viem';
import type { CallOf, CallOperation } from '../transactions/intentTable.ts';
import type { TransactionSender } from '../transactions/transactionSender.ts';
import type { ObservedPosition } from './observePosition.ts';
import type { AuthorizeOrder } from './orderAuthorizer.ts';
import type { PositionNotes } from './positionNotes.ts';
import type { UnwindRefusals } from './unwindRefusals.ts';

/** Carries out what was decided. A wait when it came to nothing, or to an order whose end is waited for. */
export type ExecuteAction = (seen: ObservedPosition, action: PositionAction, lease: Lease) => Promise<Wait | null>;

export interface ExecutorOptions {
  readonly authorize: AuthorizeOrder;
  readonly notes: PositionNotes;
  readonly refusals: UnwindRefusals;
  readonly sender: TransactionSender;
  readonly vault: Address;
  readonly logger: Logger;
}

export function actionExecutor(options: ExecutorOptions): ExecuteAction {
  const { notes } = options;
  return async (seen, action, lease) => {
    const { attempt } = 'attempt' in action ? action : { attempt: 1 };
    switch (action.kind) {
      case 'order':
        return order(options, seen, { action, lease });
      case 'record_miss':
        await notes.miss(seen, { attempt, reason: action.reason, lease });
        return null;
      case 'finalize': {
        const plan = planOf(options, seen, { functionName: 'finalize', details: {} });
        return call(options, seen, { operation: `finalize_${action.purpose}`, attempt, plan, lease });
      }
      case 'refund': {
        const plan = planOf(options, seen, { functionName: 'finalize', details: { reason: action.reason } });
        return call(options, seen, { operation: 'refund', attempt, plan, lease });
      }
      case 'settle': {
        const plan = planOf(options, seen, { functionName: 'settle', details: {} });
        return call(options, seen, { operation: 'settle', attempt, plan, lease });
      }
      case 'defer_close':
        await notes.deferClose(seen, lease);
        return null;
      case 'freeze':
        await notes.freeze(seen, action.reason);
        return null;
    }
  };
}

/** An unwind that was refused makes way: the next look, which follows at once, is for what else is due. */
async function order(
  { authorize, notes, refusals }: ExecutorOptions,
  seen: ObservedPosition,
  { action, lease }: { readonly action: OrderAction; readonly lease: Lease },
): Promise<Wait | null> {
  const { positionKey } = seen.record;
  if (action.purpose === 'open' && action.progress !== null) await notes.notify(seen, action.progress);
  const came = await authorize(seen, action, lease);
  if (came?.kind === 'miss') await notes.miss(seen, { attempt: action.attempt, reason: came.reason, lease });
  if (action.purpose === 'unwind') {
    if (came?.kind === 'refused') {
      const { rung, isHardExit } = action;
      const { reason, passesByItself } = came;
      const refusal = { atMs: seen.observation.nowMs, reason, passesByItself, sale: { rung, isHardExit } };
      refusals.note(positionKey, nextUnwindRefusal(refusals.of(positionKey), refusal));
    } else {
      refusals.forget(positionKey);
    }
  }
  return came?.kind === 'wait' ? came : null;
}

/** A call of the vault that only needs the key. */
function planOf<Details extends object>(
  { vault }: ExecutorOptions,
  { record, chain }: ObservedPosition,
  { functionName, details }: { readonly functionName: 'finalize' | 'settle'; readonly details: Details },
) {
  const data = encodeFunctionData({ abi: vaultAbi, functionName, args: [record.positionKey as Hex] });
  const decided = { ...details, decidedAtMs: chain.blockTimeMs };
  return { kind: 'transaction' as const, to: vault, data, details: decided };
}

/** A refused call is tried again at the next look, as a new attempt. */
async function call<Name extends CallOperation>(
  { sender, logger }: ExecutorOptions,
  { record }: ObservedPosition,
  request: {
    readonly operation: Name;
    readonly attempt: number;
    readonly plan: CallOf<Name>;
    readonly lease: Lease;
  },
): Promise<null> {
  const { positionKey } = record;
  const outcome = await sender.send({ subject: positionKey, ...request });
  logger.info({ positionKey, operation: request.operation, outcome: outcome.kind }, 'vault called');
  return null;
}
