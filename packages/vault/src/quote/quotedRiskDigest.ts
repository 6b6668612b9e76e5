import type { QuotedRisk } from '@core/position';
import { raw } from '@core/pricing';
import { type Address, encodeAbiParameters, type Hex, keccak256 } from 'viem';

/** What a quote fixes of how its debt is watched, and the position it belongs to. */
export interface QuotedRiskFields extends Omit<QuotedRisk, 'signature'> {
  readonly positionKey: Hex;
  readonly chainId: number;
  readonly vault: Address;
}

/** Keeps the digest apart from that of a quote, which the same key signs. */
const quotedRiskTag = 'QUOTED_RISK';

const parameters = [
  { type: 'string' },
  { type: 'bytes32' },
  { type: 'uint32' },
  { type: 'uint32[]' },
  { type: 'uint32[]' },
  { type: 'uint256' },
  { type: 'address' },
] as const;

/**
 * The 32 bytes that the quote signer signs, as an EIP-191 personal message, over the exit time and the ladder of a
 * quote. The vault knows neither: with the signature the price signer believes both of any keeper. Rungs are
 * numbered by their order.
 */
export function quotedRiskDigest({ positionKey, exitSeconds, plannedUnwinds, ...place }: QuotedRiskFields): Hex {
  const triggers = plannedUnwinds.map(({ triggerPricePips }) => Number(raw(triggerPricePips)));
  const targets = plannedUnwinds.map(({ targetLeverageBps }) => Number(raw(targetLeverageBps)));
  const { chainId, vault } = place;
  return keccak256(
    encodeAbiParameters(parameters, [
      quotedRiskTag,
      positionKey,
      exitSeconds,
      triggers,
      targets,
      BigInt(chainId),
      vault,
    ]),
  );
}
