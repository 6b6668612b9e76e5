import type { Address, Hex } from 'viem';

/** Arguments of the vault's constructor, under the constructor's own names. */
export interface VaultDeployment {
  readonly owner: Address;
  readonly guardian: Address;
  readonly treasury: Address;
  readonly quoteSigner: Address;
  readonly priceSigners: readonly Address[];
  /** Number of price signers that an order needs; at least 2. */
  readonly priceThreshold: bigint;
  readonly keepers: readonly Address[];
  readonly oracles: readonly Address[];
  readonly builders: readonly Hex[];
  /** The venue's exchange, which names USDC, ConditionalTokens, the collateral of token ids and the redeemer itself. */
  readonly exchange: Address;
  /** The PositionManager of the venue; zero, as the next two, for a vault without that ledger. */
  readonly positionManager: Address;
  readonly positionRouter: Address;
  readonly oracleAggregator: Address;
  readonly poolParameters: PoolParameters;
}

export interface PoolParameters {
  readonly totalCapUsdcUnits: bigint;
  readonly defaultOutcomeCapUsdcUnits: bigint;
  readonly utilisationBps: number;
  readonly protocolCutBps: number;
  readonly originationReserveBps: number;
  readonly reserveTargetBps: number;
}

/**
 * Starting parameters of the pool. An outcome may borrow 50,000 USDC without an owner's transaction, so that hourly
 * markets need none; the tighter caps of the policy apply before it.
 */
export const defaultPoolParameters: PoolParameters = {
  totalCapUsdcUnits: 1_000_000_000_000n,
  defaultOutcomeCapUsdcUnits: 50_000_000_000n,
  utilisationBps: 8_000,
  protocolCutBps: 2_000,
  originationReserveBps: 5_000,
  reserveTargetBps: 500,
};
