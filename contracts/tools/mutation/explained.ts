import type { Mutant } from './mutantsOf.ts';

interface Explanation {
  readonly file: string;
  /** The line before the change; any by default. */
  readonly before?: RegExp;
  readonly after: RegExp;
  readonly why: string;
}

/** Survivors that no test can kill, by file and changed text, and why the change makes no difference. */
export const explained: readonly Explanation[] = [
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
    file: 'LiquidityPool.sol',
    after: /^\) external returns \(uint256 capUsdcUnits\) \{$/,
    why: 'A second lock: a request is written down, and nothing outside is called.',
  },
  {
    file: 'LiquidityPool.sol',
    after: /^\) external onlyVault \{$/,
    why: 'A second lock: only the vault lends, and lending calls USDC alone.',
  },
  {
    file: 'LiquidityPool.sol',
    after: /booking\) external onlyVault \{$/,
    why: 'A second lock: only the vault calls it, and it calls nothing but a balance of USDC.',
  },
  {
    file: 'Vault.sol',
    after: /^\) external onlyKeeper returns/,
    why: 'A second lock: everything authorizeOrder calls is the exchange (read only), the pool, USDC or the account.',
  },
  {
    file: 'Vault.sol',
    after: /^function finalizeMany\(bytes32\[\] calldata positionKeys\) external \{$/,
    why: 'A second lock: ending an order calls the account, the exchange (read only), USDC and the pool, and none calls back.',
  },
  {
    file: 'Vault.sol',
    after: /^function settle\(bytes32 positionKey\) external \{$/,
    why: 'A second lock: it calls the account, ConditionalTokens, the redeemer, USDC and the pool, and none calls back.',
  },
  {
    file: 'Vault.sol',
    after: /^r\.collateralUsdcUnits >= MAX_NOTIONAL_USDC_UNITS/,
    why: 'Leverage is 1.5 at least: the notional of the largest collateral is refused by its own bound, with the same error.',
  },
  {
    file: 'Settlement.sol',
    after: /^position\.setCloseRequest\(0, \(0 \+ 1\)\);$/,
    why: 'A request of nothing keeps no price, whatever price comes with it.',
  },
  {
    file: 'Settlement.sol',
    after: /_distribute\(position, owedUsdcUnits, 1, 1, (0, false|\(0 \+ 1\), true)\)/,
    why: 'The owner pays exactly what is owed, so nothing is left for a fee or as bad debt.',
  },
  {
    file: 'PositionAccount.sol',
    after: /gasleft\(\) <= GAS_AFTER_REFUSAL|GAS_AFTER_REFUSAL = \(10_000 [-+] 1\)/,
    why: 'One unit of gas more changes nothing: the bound lies far below what a refusal leaves.',
  },
  {
    file: 'libraries/UnitMath.sol',
    before: /^return a > b \?/,
    after: /^return a >= b \?/,
    why: 'Of two equal numbers either is the larger one, and their difference is 0.',
  },
  {
    file: 'libraries/UnitMath.sol',
    before: /^return a < b \?/,
    after: /^return a <= b \?/,
    why: 'Of two equal numbers either is the smaller one.',
  },
  {
    file: 'libraries/UnitMath.sol',
    before: /Units > type\(uint\d+\)\.max \?/,
    after: /Units >= type\(uint\d+\)\.max \?/,
    why: 'The largest amount is itself either way.',
  },
];

type Change = Pick<Mutant, 'file' | 'before' | 'after'>;

const explains = ({ file, before, after }: Explanation, change: Change) =>
  file === change.file && (before === undefined || before.test(change.before)) && after.test(change.after);

/** Why no test can kill a mutant, when that is known. */
export function explanationOf(change: Change): string | undefined {
  return explained.find((explanation) => explains(explanation, change))?.why;
}

/** Explanations of mutants that do not exist any more. */
export function staleExplanations(changes: readonly Change[]): readonly Explanation[] {
  return explained.filter((explanation) => !changes.some((change) => explains(explanation, change)));
}
