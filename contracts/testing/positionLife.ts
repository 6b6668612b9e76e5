import assert from 'node:assert/strict';
import { lifetimeFeeOf, rateBps, raw, usdcUnits } from '@core/pricing';
import { liquidityPoolAbi, OrderSide, Purpose, positionSeedOf } from '@core/vault';
import type { Address } from 'viem';
import type { LocalAccount, LocalDriver, LocalMarket, LocalPosition } from '../local/index.ts';
import type { OpenedMarket } from './openedMarket.ts';

// 50 USDC of collateral at 2x buy 200 YES tokens at 0.50; the venue's fee of 3.5 USDC leaves 0.5 of its budget.
export const collateral = 50_000_000n;
export const notional = 100_000_000n;
export const lent = 50_000_000n;
export const feeBudget = 4_000_000n;
export const feeTaken = 3_500_000n;
export const origination = 750_000n;
export const tokens = 200_000_000n;

interface Balances {
  readonly alice: bigint;
  readonly account: bigint;
  readonly pool: bigint;
  readonly maker: bigint;
  readonly venueFees: bigint;
  readonly treasury: bigint;
  readonly conditionalTokens: bigint;
  readonly vault: bigint;
}

interface OrderTerms {
  readonly units: bigint;
  /** Pips; also mark and limit of the attestation. */
  readonly price: bigint;
  readonly triggerPips?: bigint;
}

/** One position of alice's, driven through its life; every balance is compared with the start. */
export class PositionLife {
  readonly driver: LocalDriver;
  readonly market: LocalMarket;
  readonly maker: LocalAccount;
  #starting: Balances;

  private constructor({ driver, market, maker }: OpenedMarket, starting: Balances) {
    [this.driver, this.market, this.maker, this.#starting] = [driver, market, maker, starting];
  }

  /** @param opened In the state that balances are compared with. */
  static async on(opened: OpenedMarket): Promise<PositionLife> {
    const none = { alice: 0n, account: 0n, pool: 0n, maker: 0n, venueFees: 0n, treasury: 0n };
    const life = new PositionLife(opened, { ...none, conditionalTokens: 0n, vault: 0n });
    life.#starting = await life.#balances(null);
    return life;
  }

  async #balances(account: Address | null): Promise<Balances> {
    const { contracts, roles } = this.driver.deployment;
    return {
      alice: await this.driver.usdcOf(roles.alice.address),
      account: account === null ? 0n : await this.driver.usdcOf(account),
      pool: await this.driver.usdcOf(contracts.pool),
      maker: await this.driver.usdcOf(this.maker.address),
      venueFees: await this.driver.usdcOf(roles.venueFeeRecipient.address),
      treasury: await this.driver.usdcOf(roles.treasury.address),
      conditionalTokens: await this.driver.usdcOf(contracts.conditionalTokens),
      vault: await this.driver.usdcOf(contracts.vault),
    };
  }

  /** Every balance against the start, to the unit; nothing appears from nowhere and the vault holds nothing. */
  async assertMoved(account: Address, moved: Partial<Balances>): Promise<void> {
    const now = await this.#balances(account);
    const names = Object.keys(now) as (keyof Balances)[];
    const found = Object.fromEntries(
      names.map((name) => [name, now[name] - this.#starting[name]]).filter(([, difference]) => difference !== 0n),
    );
    assert.deepEqual(found, Object.fromEntries(Object.entries(moved).filter(([, difference]) => difference !== 0n)));
    assert.equal(
      Object.values(found).reduce((sum: bigint, part) => sum + BigInt(String(part)), 0n),
      0n,
    );
  }

  async bookOf() {
    return this.driver.rpc.client.readContract({
      address: this.driver.deployment.contracts.pool,
      abi: liquidityPoolAbi,
      functionName: 'bookOf',
    });
  }

  async create(): Promise<LocalPosition> {
    const { alice } = this.driver.deployment.roles;
    const fields = await this.driver.quoteFields({
      user: alice,
      token: this.market.yes,
      positionSeed: positionSeedOf('0x0a0b0c0d0e0f101112131415', 0),
      collateralUsdcUnits: collateral,
      leverageBps: 20_000n,
    });
    const limits = { venueFeeUsdcUnits: feeBudget, minPositionTokenUnits: tokens };
    return this.driver.createPosition({ sender: alice, fields, signature: this.driver.signQuote(fields), limits });
  }

  /** Authorises an order of the position at one price. */
  async authorize(position: LocalPosition, purpose: Purpose, terms: OrderTerms) {
    const { units, price, triggerPips = 0n } = terms;
    const order = this.driver.orderOf({
      maker: position.account,
      token: this.market.yes,
      side: purpose === Purpose.Open ? OrderSide.Buy : OrderSide.Sell,
      tokenUnits: units,
      usdcUnits: (units * price) / 10_000n,
      isContract: true,
    });
    const prices = {
      token: this.market.yes,
      purpose,
      markPips: price,
      limitPips: price,
      triggerPips,
      venueFeeBps: 350n,
    };
    await this.driver.authorizeOrder({ position, order, attestation: await this.driver.attestation(prices) });
    return order;
  }

  /** A position that is Open with 200 tokens and 50 USDC of principal. */
  async open(): Promise<LocalPosition> {
    const position = await this.create();
    const order = await this.authorize(position, Purpose.Open, { units: tokens, price: 5_000n });
    await this.driver.matchWithMaker(order, this.maker, feeTaken);
    await this.driver.finalize(position);
    return position;
  }

  /** The lifetime fee the chain has charged when the principal last changed at `from`. */
  async lifetimeFeeSince(from: number, principal = lent): Promise<bigint> {
    const elapsedSeconds = Number(await this.driver.rpc.nowSeconds()) - from;
    return raw(
      lifetimeFeeOf({ principalUsdcUnits: usdcUnits(principal), lifetimeFeeAprBps: rateBps(1_000n), elapsedSeconds }),
    );
  }
}

/** Return the treasury's part of a lifetime fee: a fifth, rounded down. */
export const protocolCutOf = (fee: bigint) => (fee * 2_000n) / 10_000n;
