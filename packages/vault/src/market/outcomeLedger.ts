import type { Hex } from 'viem';

const hashBits = ((1n << 128n) - 1n) << 120n;
/** Bits of a native binary id that differ from one to the next: its hash, and the outcome in the last one. */
const freeBits = hashBits | 1n;
/** All other bits: module 1, and zeros for arity, reserved bits, resolution chain and condition index. */
const binaryBits = 1n << 248n;

/**
 * Return true for a token of the venue's PositionManager; any other is one of ConditionalTokens, whose ids are hashes.
 * The id alone decides, by the rule of `OutcomeLedger` in the contracts.
 */
export function isManagedToken(tokenId: bigint): boolean {
  return tokenId - (tokenId & freeBits) === binaryBits;
}

/**
 * Return both token ids of a condition of the PositionManager, first outcome first.
 *
 * @param conditionId Condition of 31 bytes, padded with a zero byte on the right.
 * @returns Null for a condition that is not a native binary one.
 */
export function managedTokenIdsOf(conditionId: Hex): readonly [bigint, bigint] | null {
  const condition = BigInt(conditionId);
  const isNative = isManagedToken(condition) && (condition & 1n) === 0n && (condition & hashBits) !== 0n;
  return isNative ? [condition, condition | 1n] : null;
}

/**
 * Return the route of a token's orders. Outcomes of the PositionManager have grants on either route: the vault gives
 * them no other order.
 *
 * @param tokenId Token in decimals, as the venue has it.
 */
export function tokenRouteOf<Route extends string>(route: Route, tokenId: string): Route | 'fill' {
  return isManagedToken(BigInt(tokenId)) ? 'fill' : route;
}
