import { liquidityPoolAbi, vaultAbi } from '@core/vault';
import { encodeFunctionData } from 'viem';
import type { ContractCall, Hex } from './wallet.ts';

/** Minimum price of a sale on these pages: none. For a minimum, call the vault directly. */
export const anyPriceUsd = '0';

/**
 * Return the minimum of a withdrawal request, in USDC units: 99 % of the displayed amount, rounded down. The share
 * price may change until the request is on chain.
 */
export const minimumOf = (valueUsdcUnits: bigint): bigint => (valueUsdcUnits * 99n) / 100n;

/** Return the vault calls of a position's owner. */
export function vaultCallsOf(vault: Hex, key: Hex) {
  const callOf = (data: Hex): ContractCall => ({ to: vault, data });
  const plain = (functionName: 'cancelPosition' | 'claim' | 'settle' | 'finalize'): ContractCall =>
    callOf(encodeFunctionData({ abi: vaultAbi, functionName, args: [key] }));
  return {
    /** Repay the whole debt and send the tokens to `to`. */
    exitByRepaying: (to: Hex): ContractCall =>
      callOf(encodeFunctionData({ abi: vaultAbi, functionName: 'exitByRepaying', args: [key, to] })),
    cancel: (): ContractCall => plain('cancelPosition'),
    claim: (): ContractCall => plain('claim'),
    settle: (): ContractCall => plain('settle'),
    finalize: (): ContractCall => plain('finalize'),
  };
}

/** Return the pool calls of a liquidity provider: deposit, request a withdrawal, and redeem it. */
export function poolCallsOf(pool: Hex, owner: Hex) {
  return {
    deposit: (usdcUnits: bigint): ContractCall => ({
      to: pool,
      data: encodeFunctionData({ abi: liquidityPoolAbi, functionName: 'deposit', args: [usdcUnits, owner] }),
    }),
    /**
     * Request a withdrawal, which cannot be cancelled. The minimum is the least value of the shares then, in USDC
     * units.
     */
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
