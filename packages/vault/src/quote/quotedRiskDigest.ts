import { type LeverageBps, type PricePips, raw } from '@core/pricing';
import type { Address, Hex } from 'viem';
import { hexOf, PackedBytes } from '../signing/packedBytes.ts';
import { type Keccak256, plainKeccak256 } from '../signing/plainKeccak256.ts';

/** Risk terms that a quote fixes for the monitoring of its debt, and the position they belong to. */
export interface QuotedRiskFields {
  readonly positionKey: Hex;
  /** Expected duration of a sale in seconds, at the time of the quote. */
  readonly exitSeconds: number;
  /** Rungs of the ladder from the highest trigger down; empty for an adaptive position. */
  readonly plannedUnwinds: readonly {
    readonly triggerPricePips: PricePips;
    readonly targetLeverageBps: LeverageBps;
  }[];
  readonly chainId: number;
  readonly vault: Address;
}

/** Tag that separates the digest from that of a quote, which the same key signs. */
const quotedRiskTag = 'QUOTED_RISK';

const wordByteLength = 32;
/** Length of the seven head words. Three values have a length of their own and follow: the tag and the two lists. */
const headByteLength = 7 * wordByteLength;
/** Length of the tag: its length word, and its letters in one word. */
const tagByteLength = 2 * wordByteLength;

/**
 * Pack `abi.encode(string, bytes32, uint32, uint32[], uint32[], uint256, address)` of the tag, the position key, the
 * exit time, the rungs' trigger prices and target leverages, the chain and the vault.
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
 * Return the 32 bytes that the quote signer signs, as an EIP-191 personal message, over the exit time and the ladder of
 * a quote. The vault knows neither; the signature lets the price signer accept both from any keeper. Rungs are numbered
 * by their order.
 *
 * @throws RangeError when a value does not fit its type.
 */
export function quotedRiskDigest(fields: QuotedRiskFields, keccak256: Keccak256 = plainKeccak256): Hex {
  return hexOf(keccak256(packQuotedRisk(fields)));
}
