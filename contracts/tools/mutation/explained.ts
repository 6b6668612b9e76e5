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
    file: 'LiquidityPool.sol',
    after: /^\) public override\(ERC4626, ILiquidityPool\) returns \(uint256 usdcUnits\) \{$/,
    why: 'A second lock: shares and USDC have no hooks, so nothing can call back while they move.',
  },
  {
    file: 'LiquidityPool.sol',
    after: /^function (?:fundReserve\(uint256 usdcUnits\) external|payTreasury\(\) external returns .*) \{$/,
    why: 'A second lock: USDC has no hooks, so nothing can call back while it moves.',
  },
  {
    file: 'Vault.sol',
    after: /^\) external onlyKeeper returns/,
    why: 'A second lock: everything authorizeOrder calls is the exchange (read only), the pool, USDC or the account.',
  },
  {
    file: 'LiquidityPool.sol',
    after: /Math\.mulDiv\((?:shares, (?:cap|idle \+ 1)|request\.shares - shares, cap),/,
    why: 'The two factors of a product, the one before the other.',
  },
  {
    file: 'LiquidityPool.sol',
    after: /Math\.mulDiv\((?:_allShares\(\), assets|_entryAssets\(\), shares),/,
    why: 'The two factors of a product, the one before the other.',
  },
  {
    file: 'LiquidityPool.sol',
    after: /^if \(requested != \(0 \+ 1\)\)/,
    why: 'The worth of shares asked for is a unit at least when it is rounded up, so it never lowers a cap of one unit.',
  },
  {
    file: 'LiquidityPool.sol',
    before: /^if \(before == usdcUnits\) return;$/,
    after: /^$/,
    why: 'The figures that are there would be written once more.',
  },
  {
    file: 'OrderRules.sol',
    after: /a\.limitPips >= a\.markPips \?/,
    why: 'Of two equal prices the distance is 0 either way.',
  },
  {
    file: 'libraries/OpeningRules.sol',
    after: /^first \? exitBufferBps : position\.exitBufferBps,\s+position\.liquidationFeeBps$/,
    why: 'The threshold adds both rates up, in whichever order they come.',
  },
  {
    file: 'libraries/OpeningRules.sol',
    after: /UnitMath\.min\(\(markPips \* OPENING_MARK_BPS\) \/ BPS, position\.maxLiquidationPricePips\)/,
    why: 'The smaller of two numbers, in whichever order they come.',
  },
  {
    file: 'libraries/SaleRules.sol',
    after: /multiplyDivideUp\(PIPS \* BPS, debt, expected\)/,
    why: 'The two factors of a product, the one before the other.',
  },
  {
    file: 'Vault.sol',
    after: /FeeMath\.originationFee\(r\.originationFeeBps, r\.notionalUsdcUnits\)/,
    why: 'The fee is the product of the two, in whichever order they come.',
  },
  {
    file: 'Vault.sol',
    after: /UnitMath\.min\(PIPS, r\.maxLiquidationPricePips\)/,
    why: 'The smaller of two numbers, in whichever order they come.',
  },
  {
    file: 'Settlement.sol',
    after: /Purpose\.None\) return \(0 \+ 1\);$/,
    why: 'Without an order an opening holds no tokens and is refunded, and a sale reads no fill.',
  },
  {
    file: 'Settlement.sol',
    after: /multiplyDivideUp\((?:sold, (?:principal|fees), held|liquidationFeeBps, w\.principalUsdcUnits, BPS)\)/,
    why: 'The two factors of a product, the one before the other.',
  },
  {
    file: 'Settlement.sol',
    before: /^if \(poolUsdcUnits \+ userUsdcUnits == 0\) return;$/,
    after: /^$/,
    why: 'An account that is asked to send nothing sends nothing, and answers that it did.',
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
    after: /gasleft\(\) (?:<= GAS_AFTER_REFUSAL|< \(GAS_AFTER_REFUSAL [-+] 1\))|GAS_AFTER_REFUSAL = \(10_000 [-+] 1\)/,
    why: 'One unit of gas more changes nothing: the bound lies far below what a refusal leaves.',
  },
  {
    file: 'libraries/FeeMath.sol',
    after: /multiplyDivideUp\((?:feeBps, notionalUsdcUnits, BPS|elapsedSeconds, principalUsdcUnits \* aprBps,)/,
    why: 'The two factors of a product, the one before the other.',
  },
  {
    file: 'libraries/LiquidationMath.sol',
    after: /multiplyDivideUp\(BPS \+ liquidationFeeBps \+ exitBufferBps, debtUsdcUnits, BPS\)/,
    why: 'The two factors of a product, the one before the other.',
  },
  {
    file: 'libraries/OpeningSplit.sol',
    after: /multiplyDivideUp\(filledUsdcUnits, o\.collateralUsdcUnits, o\.notionalUsdcUnits\)/,
    why: 'The two factors of a product, the one before the other.',
  },
  {
    file: 'libraries/OrderStatus.sol',
    after: /^mstore\(0, 0x20\)$/,
    why: 'The words are read after an answer of two words only, which overwrites both.',
  },
  {
    file: 'libraries/OrderStatus.sol',
    after: /staticcall\(GAS_LIMIT, exchange, add\(0x20, question\),/,
    why: 'A sum, in whichever order its parts come.',
  },
  {
    file: 'libraries/PoolBook.sol',
    after: /multiplyDivideUp\(p\.originationReserveBps, b\.originationFeeUsdcUnits, BPS\)/,
    why: 'The two factors of a product, the one before the other.',
  },
  {
    file: 'libraries/PositionMath.sol',
    after:
      /FeeMath\.lifetimeFee\(position\.(?:\w+, elapsed, position\.\w+|lifetimeFeeAprBps, position\.\w+, elapsed)\)/,
    why: 'The fee is the product of the three, in whichever order they come.',
  },
  {
    file: 'libraries/PositionMath.sol',
    after: /^position\.exitBufferBps,\s+position\.liquidationFeeBps$/,
    why: 'The threshold adds both rates up, in whichever order they come.',
  },
  {
    file: 'libraries/PositionMath.sol',
    after: /\* BPS \+ leverageBps - 1\) \/ leverageBps/,
    why: 'The notional is collateral × leverage to the unit, so the quotient has no rest to round.',
  },
  {
    file: 'libraries/PositionMath.sol',
    after: /^position\.originationFeeBps,\s+position\.notionalUsdcUnits$/,
    why: 'The fee is the product of the two, in whichever order they come.',
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

/** Return the known reason why no test can kill a mutant. */
export function explanationOf(change: Change): string | undefined {
  return explained.find((explanation) => explains(explanation, change))?.why;
}

/** Explanations of mutants that do not exist any more. */
export function staleExplanations(changes: readonly Change[]): readonly Explanation[] {
  return explained.filter((explanation) => !changes.some((change) => explains(explanation, change)));
}
