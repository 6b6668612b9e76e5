/** Survivors that no test can kill, by file and changed text, and why the change makes no difference. */
export const explained: readonly { readonly file: string; readonly after: RegExp; readonly why: string }[] = [
  {
    file: 'libraries/OrderStatus.sol',
    after: /GAS_LIMIT = /,
    why: 'Any limit far above what the answer costs serves; one unit of gas more changes nothing.',
  },
  {
    file: 'LiquidityPool.sol',
    after: /^\) internal override \{$/,
    why: 'A second lock: USDC has no hooks and shares have none, so nothing can call back in between.',
  },
  {
    file: 'Vault.sol',
    after: /^\) external onlyKeeper returns/,
    why: 'A second lock: everything authorizeOrder calls is the exchange (read only), the pool, USDC or the account.',
  },
  {
    file: 'Vault.sol',
    after: /_divide\(position, owedUsdcUnits, 1, 1, 0, false\)/,
    why: 'The owner pays exactly what is owed, so nothing is left either way.',
  },
];
