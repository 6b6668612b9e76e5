/**
 * Amount of one kind. It is a `bigint` at run time and opaque to the compiler: arithmetic operators do not apply, so
 * `pips + usdc`, `pips * 2n` and passing one kind for another fail to compile. A plain brand (`bigint & {…}`) is too
 * weak, because its operators compile.
 */
export interface Quantity<Kind extends string = string> {
  /** Kind at compile time only. A plain key lets packages below this one describe a quantity without importing it. */
  readonly '~kind': Kind;
}

/** Price of one outcome token: 10,000 pips = 1.00 USD per token. */
export interface PricePips extends Quantity<'PricePips'> {}
/** Amount of money in the unit of the wire: 10,000 pips = 1.00 USD. */
export interface UsdPips extends Quantity<'UsdPips'> {}
/** Amount of money in the unit of the chain: 1,000,000 units = 1.00 USD. Money is computed in this unit. */
export interface UsdcUnits extends Quantity<'UsdcUnits'> {}
/** Amount of outcome tokens: 1,000,000 units = 1 token. */
export interface TokenUnits extends Quantity<'TokenUnits'> {}
/** Leverage: 10,000 bps = 1x. */
export interface LeverageBps extends Quantity<'LeverageBps'> {}
/** Rate or ratio: 10,000 bps = 100 %. */
export interface RateBps extends Quantity<'RateBps'> {}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller's return type names the kind.
function quantity<Q extends Quantity>(amount: bigint, name: string): Q;
// The one conversion from bigint to quantity: only an overload may narrow without a cast. It checks at run time,
// because JavaScript programs have no compiler, and a number or text would fail far from its cause.
function quantity(amount: unknown, name: string): unknown {
  if (typeof amount !== 'bigint') throw new TypeError(`${name} takes a whole number as a bigint, such as 10000n`);
  return amount;
}

/**
 * Build a price from whole pips per token.
 *
 * @throws TypeError when the argument is no bigint.
 */
export function pricePips(amount: bigint): PricePips {
  return quantity(amount, 'pricePips');
}

/**
 * Build an amount of money from whole pips of USD.
 *
 * @throws TypeError when the argument is no bigint.
 */
export function usdPips(amount: bigint): UsdPips {
  return quantity(amount, 'usdPips');
}

/**
 * Build an amount of money from whole USDC units.
 *
 * @throws TypeError when the argument is no bigint.
 */
export function usdcUnits(amount: bigint): UsdcUnits {
  return quantity(amount, 'usdcUnits');
}

/**
 * Build an amount of tokens from whole token units.
 *
 * @throws TypeError when the argument is no bigint.
 */
export function tokenUnits(amount: bigint): TokenUnits {
  return quantity(amount, 'tokenUnits');
}

/**
 * Build a leverage from whole basis points.
 *
 * @throws TypeError when the argument is no bigint.
 */
export function leverageBps(amount: bigint): LeverageBps {
  return quantity(amount, 'leverageBps');
}

/**
 * Build a rate or ratio from whole basis points.
 *
 * @throws TypeError when the argument is no bigint.
 */
export function rateBps(amount: bigint): RateBps {
  return quantity(amount, 'rateBps');
}

function toBigint(q: Quantity): bigint;
function toBigint(q: unknown): unknown {
  return q;
}

/**
 * Return the whole number of a quantity, without its unit. For codecs, rows and encodings only; use the arithmetic
 * functions for computations.
 */
export function raw(q: Quantity): bigint {
  return toBigint(q);
}

/** Wrap a number as the kind of `like`. Internal: the package does not export it. */
export function sameKind<Q extends Quantity>(like: Q, amount: bigint): Q;
export function sameKind(_like: Quantity, amount: unknown): unknown {
  return amount;
}
