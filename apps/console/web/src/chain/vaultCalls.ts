import { liquidityPoolAbi, vaultAbi } from '@core/vault';
import { encodeFunctionData } from 'viem';
import type { ContractCall, Hex } from './wallet.ts';

/** The minimum price of a sale asked for on these pages: none. Who wants one asks the vault directly. */
export const anyPriceUsd = '0';

/**
 * The minimum that a request to leave names: a hundredth less than the page shows, rounded down, since the price of a
 * share may move until the request is on chain.
 */
export const minimumOf = (worthUsdcUnits: bigint): bigint => (worthUsdcUnits * 99n) / 100n;

/** What an owner does with a position, as calls of the vault. */
export function vaultCallsOf(vault: Hex, key: Hex) {
  const callOf = (data: Hex): ContractCall => ({ to: vault, data });
  const plain = (functionName: 'cancelPosition' | 'claim' | 'settle' | 'finalize'): ContractCall =>
    callOf(encodeFunctionData({ abi: vaultAbi, functionName, args: [key] }));
  return {
    /** Repays everything and sends the tokens to `to`. */
    exitByRepaying: (to: Hex): ContractCall =>
      callOf(encodeFunctionData({ abi: vaultAbi, functionName: 'exitByRepaying', args: [key, to] })),
    cancel: (): ContractCall => plain('cancelPosition'),
    claim: (): ContractCall => plain('claim'),
    settle: (): ContractCall => plain('settle'),
    finalize: (): ContractCall => plain('finalize'),
  };
}

/** What a provider of liquidity does: lend, and to get it back ask, wait, redeem. */
export function poolCallsOf(pool: Hex, owner: Hex) {
  return {
    deposit: (usdcUnits: bigint): ContractCall => ({
      to: pool,
      data: encodeFunctionData({ abi: liquidityPoolAbi, functionName: 'deposit', args: [usdcUnits, owner] }),
    }),
    /** For good: it cannot be taken back. The minimum is what the shares must be worth at that moment, USDC units. */
    requestRedeem: (shares: bigint, minUsdcUnits: bigint): ContractCall => ({
      to: pool,
      data: encodeFunctionData({
        abi: liquidityPoolAbi,
        functionName: 'requestRedeem',
        args: [shares, minUsdcUnits],
      }),
    }),
    redeem: (shares: bigint): ContractCall => ({
      to: pool,
      data: encodeFunctionData({ abi: liquidityPoolAbi, functionName: 'redeem', args: [shares, owner, owner] }),
    }),
  };
}
