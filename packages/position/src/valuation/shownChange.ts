import { keysOf } from '../keysOf.ts';
import { type Position, positionFields } from '../record/position.ts';
import { pendingOperationOf } from './pendingOperation.ts';

/** Bookkeeping that no client sees as such; the live order shows in the status and in the operation under way. */
const unshown: ReadonlySet<string> = new Set<keyof Position>([
  'frozenReason',
  'maxLiquidationPricePips',
  'contractMinFillBps',
  'livePurpose',
  'liveOrderHash',
  'liveValidUntilMs',
  'liveAuthorizedAtMs',
  'closeRequestedMinPricePips',
  'deferredUsdcUnits',
  'updatedBlockNumber',
  // A record of its own, the same for as long as `quoteId` is.
  'quotedRisk',
]);

const shownFields = keysOf(positionFields).filter((name) => !unshown.has(name));

/** True when a client could see a difference between two states of one position. */
export function isShownChange(before: Position, after: Position): boolean {
  if (shownFields.some((name) => before[name] !== after[name])) return true;
  const [was, is] = [pendingOperationOf(before), pendingOperationOf(after)];
  return was?.type !== is?.type || was?.requestedAtMs !== is?.requestedAtMs || was?.tokenUnits !== is?.tokenUnits;
}
