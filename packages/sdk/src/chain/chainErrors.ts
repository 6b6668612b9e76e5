import { LevError } from '../errors/levError.ts';
import type { FailureReason, Position } from '../generated/resources.ts';

/** A transaction would revert, or did. */
export class TransactionRevertedError extends LevError {
  override readonly name = 'TransactionRevertedError';
  /** Name of the contract's error, or null where it is not known. */
  readonly revert: string | null;
  /** Null when it was refused before it was sent. */
  readonly hash: string | null;

  constructor(revert: string | null, message: string, hash: string | null) {
    super('transaction_reverted', message);
    this.revert = revert;
    this.hash = hash;
  }
}

/** The vault took the quote, but the position was given back before it opened: everything is refunded. */
export class PositionNotOpenedError extends LevError {
  override readonly name = 'PositionNotOpenedError';
  readonly position: Position;
  /** `failure.reason` of the position; null when the owner cancelled. */
  readonly reason: FailureReason | null;

  constructor(position: Position) {
    const reason = position.failure?.reason ?? null;
    super('position_not_opened', `the position was not opened: ${reason ?? 'cancelled'}; everything is refunded`);
    this.position = position;
    this.reason = reason;
  }
}
