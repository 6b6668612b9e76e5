declare const kind: unique symbol;

/**
 * An amount of one kind. It is a `bigint` at run time and nothing at all to the compiler: arithmetic operators do
 * not apply to it, so `pips + usdc`, `pips * 2n` and passing one kind for another fail to compile. A plain brand
 * (`bigint & {…}`) would be too weak, because its operators still compile.
 */
export interface Quantity<Kind extends string = string> {
  readonly [kind]: Kind;
}

/** Price of one outcome token: 10,000 pips = 1.00 USD per token. */
export interface PricePips extends Quantity<'PricePips'> {}
/** Amount of money as the wire shows it: 10,000 pips = 1.00 USD. */
export interface UsdPips extends Quantity<'UsdPips'> {}
/** Amount of money as the chain holds it: 1,000,000 units = 1.00 USD. Money is computed in this unit. */
export interface UsdcUnits extends Quantity<'UsdcUnits'> {}
/** Amount of outcome tokens: 1,000,000 units = 1 token. */
export interface TokenUnits extends Quantity<'TokenUnits'> {}
/** Leverage: 10,000 bps = 1x. */
export interface LeverageBps extends Quantity<'LeverageBps'> {}
/** Rate or ratio: 10,000 bps = 100 %. */
export interface RateBps extends Quantity<'RateBps'> {}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller's return type names the kind.
function quantity<Q extends Quantity>(amount: bigint, name: string): Q;
// The one place where a bigint becomes a quantity: only an overload may narrow without a cast. It looks, because
// programs in JavaScript have no compiler that would: a number, or text of one, would fail far from its cause.
function quantity(amount: unknown, name: string): unknown {
  if (typeof amount !== 'bigint') throw new TypeError(`${name} takes a whole number as a bigint, such as 10000n`);
  return amount;
}

/** Wraps whole pips per token. @throws TypeError for what is no bigint. */
export function pricePips(amount: bigint): PricePips {
  return quantity(amount, 'pricePips');
}

/** Wraps whole pips of USD. @throws TypeError for what is no bigint. */
export function usdPips(amount: bigint): UsdPips {
  return quantity(amount, 'usdPips');
}

/** Wraps whole USDC units. @throws TypeError for what is no bigint. */
export function usdcUnits(amount: bigint): UsdcUnits {
  return quantity(amount, 'usdcUnits');
}

/** Wraps whole token units. @throws TypeError for what is no bigint. */
export function tokenUnits(amount: bigint): TokenUnits {
  return quantity(amount, 'tokenUnits');
}

/** Wraps whole leverage basis points. @throws TypeError for what is no bigint. */
export function leverageBps(amount: bigint): LeverageBps {
  return quantity(amount, 'leverageBps');
}

/** Wraps whole basis points of a rate or ratio. @throws TypeError for what is no bigint. */
export function rateBps(amount: bigint): RateBps {
  return quantity(amount, 'rateBps');
}

function toBigint(q: Quantity): bigint;
function toBigint(q: unknown): unknown {
  return q;
}

/** The whole number inside, without its unit. For codecs, rows and encodings only: arithmetic has functions here. */
export function raw(q: Quantity): bigint {
  return toBigint(q);
}

/** Wraps a number as the kind of `like`. Private to the units folder's neighbours: never exported by the package. */
export function sameKind<Q extends Quantity>(like: Q, amount: bigint): Q;
export function sameKind(_like: Quantity, amount: unknown): unknown {
  return amount;
}
