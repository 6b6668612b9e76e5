import type { QuotedRisk } from '@core/position';
import { type LeverageBps, type PricePips, raw } from '@core/pricing';
import type { Address, Hex } from 'viem';
import { hexOf, PackedBytes } from '../signing/packedBytes.ts';
import { type Keccak256, plainKeccak256 } from '../signing/plainKeccak256.ts';

/** What a quote fixes of how its debt is watched, and the position it belongs to. */
export interface QuotedRiskFields extends Omit<QuotedRisk, 'signature'> {
  readonly positionKey: Hex;
  readonly chainId: number;
  readonly vault: Address;
}

/** Keeps the digest apart from that of a quote, which the same key signs. */
const quotedRiskTag = 'QUOTED_RISK';

const wordByteLength = 32;
/** Of the seven values three have a length of their own and stand after the others: the tag and the two lists. */
const headByteLength = 7 * wordByteLength;
/** Its length, and its letters in one word. */
const tagByteLength = 2 * wordByteLength;

/**
 * `abi.encode(string, bytes32, uint32, uint32[], uint32[], uint256, address)` of the tag, the position key, the exit
 * time, the rungs' trigger prices and target leverages, the chain and the vault.
 */
function packQuotedRisk({ positionKey, exitSeconds, plannedUnwinds, chainId, vault }: QuotedRiskFields): Uint8Array {
  const listByteLength = (1 + plannedUnwinds.length) * wordByteLength;
  const triggersAt = headByteLength + tagByteLength;
  const packed = new PackedBytes(triggersAt + 2 * listByteLength)
    .uint256(BigInt(headByteLength))
    .hex(positionKey, 32)
    .zeros(28)
    .uint32(BigInt(exitSeconds))
    .uint256(BigInt(triggersAt))
    .uint256(BigInt(triggersAt + listByteLength))
    .uint256(BigInt(chainId))
    .zeros(12)
    .hex(vault, 20)
    .uint256(BigInt(quotedRiskTag.length))
    .text(quotedRiskTag)
    .zeros(wordByteLength - quotedRiskTag.length);
  const pushList = (values: readonly (PricePips | LeverageBps)[]): void => {
    packed.uint256(BigInt(values.length));
    for (const value of values) packed.zeros(28).uint32(raw(value));
  };
  pushList(plannedUnwinds.map(({ triggerPricePips }) => triggerPricePips));
  pushList(plannedUnwinds.map(({ targetLeverageBps }) => targetLeverageBps));
  return packed.finish();
}

/**
 * The 32 bytes that the quote signer signs, as an EIP-191 personal message, over the exit time and the ladder of a
 * quote. The vault knows neither: with the signature the price signer believes both of any keeper. Rungs are
 * numbered by their order.
 *
 * @throws RangeError when a value does not fit its type.
 */
export function quotedRiskDigest(fields: QuotedRiskFields, keccak256: Keccak256 = plainKeccak256): Hex {
  return hexOf(keccak256(packQuotedRisk(fields)));
}
