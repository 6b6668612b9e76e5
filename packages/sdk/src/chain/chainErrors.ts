import { LevError } from '../errors/levError.ts';
import type { FailureReason, Position } from '../generated/resources.ts';

/** Error of a wallet on another chain than the vault. Nothing was signed. */
export class WrongChainError extends LevError {
  override readonly name = 'WrongChainError';
  /** Chain ID of the vault; `have` is that of the wallet. */
  readonly need: number;
  readonly have: number;

  constructor(need: number, have: number) {
    super('wrong_chain', `the wallet is on chain ${have}: switch it to chain ${need}`);
    this.need = need;
    this.have = have;
  }
}

/** Error of a call that the node refused: its message, and the revert data if it reverted. */
export class RpcError extends LevError {
  override readonly name = 'RpcError';
  readonly data: string | null;

  constructor(message: string, data: string | null) {
    super('chain_refused', message);
    this.data = data;
  }
}

/** Error of a transaction that would revert, or did. */
export class TransactionRevertedError extends LevError {
  override readonly name = 'TransactionRevertedError';
  /** Name of the contract's error, or null when it is unknown. */
  readonly revert: string | null;
  /** Hash of the transaction; null when it was refused before sending. */
  readonly hash: string | null;

  constructor(revert: string | null, message: string, hash: string | null) {
    super('transaction_reverted', message);
    this.revert = revert;
    this.hash = hash;
  }
}

/** Error of a transaction that the wallet or its node did not accept; nothing was sent. */
export class TransactionNotSentError extends LevError {
  override readonly name = 'TransactionNotSentError';
  readonly reason: 'refused_by_user' | 'insufficient_gas' | 'refused_by_node';

  constructor(reason: TransactionNotSentError['reason'], message: string, options?: ErrorOptions) {
    super('transaction_not_sent', message, options);
    this.reason = reason;
  }
}

/** Error of a transaction that another transaction of the account replaced; it had no effect. */
export class TransactionReplacedError extends LevError {
  override readonly name = 'TransactionReplacedError';
  readonly hash: string;
  /** Hash of the transaction that was executed instead. */
  readonly replacement: string;

  constructor(hash: string, replacement: string) {
    super('transaction_replaced', `${hash} was replaced by ${replacement}, which is another call: nothing was done`);
    this.hash = hash;
    this.replacement = replacement;
  }
}

/** Error of a position that was refunded before it opened. The vault had accepted the quote. */
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
