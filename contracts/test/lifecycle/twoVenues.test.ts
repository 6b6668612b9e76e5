import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { rateBps } from '@core/pricing';
import {
  accountSignature,
  liquidityPoolAbi,
  OrderSide,
  PositionState,
  Purpose,
  positionSeedOf,
  testUsdcAbi,
  vaultAbi,
} from '@core/vault';
import { encodeFunctionData, type Hex } from 'viem';
import type { LocalExchange } from '../../local/deployLocal.ts';
import type { LocalPosition } from '../../local/index.ts';
import { ExchangeTrades } from '../../testing/exchangeTrades.ts';
import { OpenedMarket } from '../../testing/openedMarket.ts';

/** Settlement of a match: to a maker across, through a pair, or half of each in one match. */
type Settlement = 'direct' | 'paired' | 'mixed';

interface Order {
  readonly purpose: Purpose;
  readonly tokenUnits: bigint;
  readonly pricePips: bigint;
  /** Better for the account than its price by this, USDC units over the whole order. */
  readonly surplus?: bigint;
  readonly settlement: Settlement;
  readonly fee: bigint;
}

/** Return the trade of each maker of a match. */
function sharesOf(settlement: Settlement, whole: { readonly tokenUnits: bigint; readonly usdcUnits: bigint }) {
  if (settlement !== 'mixed') return [{ ...whole, isDirect: settlement === 'direct' }];
  const half = { tokenUnits: whole.tokenUnits / 2n, usdcUnits: whole.usdcUnits / 2n };
  const rest = { tokenUnits: whole.tokenUnits - half.tokenUnits, usdcUnits: whole.usdcUnits - half.usdcUnits };
  return [
    { ...half, isDirect: true },
    { ...rest, isDirect: false },
  ];
}

const exchanges: readonly LocalExchange[] = ['VenueExchange', 'TwinExchange'];
const collateral = 100_000_000n;
const tokens = 600_000_000n;

/** At 10 % a year 200 USDC owe about 1.64. */
const heldSeconds = 30n * 86_400n;

/** Lives of positions on one venue, with lifetime fees: the blocks that reckon them lie as far apart on both chains. */
class Lives {
  readonly opened: OpenedMarket;
  readonly trades: ExchangeTrades;
  #count = 0;
  #reckonedAt: bigint | undefined;

  private constructor(opened: OpenedMarket, trades: ExchangeTrades) {
    [this.opened, this.trades] = [opened, trades];
  }

  static async on(exchange: LocalExchange): Promise<Lives> {
    const opened = await OpenedMarket.start('Do two venues settle alike?', exchange);
    return new Lives(opened, await ExchangeTrades.on(opened));
  }

  get driver() {
    return this.trades.driver;
  }

  /** 100 USDC at 3x. */
  async create(): Promise<LocalPosition> {
    const { alice } = this.driver.deployment.roles;
    this.#count += 1;
    const usual = await this.driver.quoteFields({
      user: alice,
      token: this.trades.market.yes,
      positionSeed: positionSeedOf(`0x${this.#count.toString(16).padStart(24, '0')}`, 0),
      collateralUsdcUnits: collateral,
      leverageBps: 30_000n,
    });
    const fields = { ...usual, lifetimeFeeAprBps: rateBps(1_000n) };
    const limits = { venueFeeUsdcUnits: 15_000_000n, minFillBps: 1_000 };
    return this.driver.createPosition({ sender: alice, fields, signature: this.driver.signQuote(fields), limits });
  }

  /** An order that is authorised and filled, and finalized. */
  async order(position: LocalPosition, terms: Order): Promise<void> {
    await this.fill(position, terms);
    await this.hold();
    await this.driver.finalize(position);
  }

  async settle(position: LocalPosition): Promise<void> {
    await this.hold();
    await this.driver.settle(position);
  }

  /** Authorises an order and lets the operator fill it. */
  async fill(position: LocalPosition, terms: Order): Promise<void> {
    const { purpose, tokenUnits, pricePips, surplus = 0n, settlement, fee } = terms;
    const { market, maker, taker } = this.trades;
    const isBuy = purpose === Purpose.Open;
    const usdcUnits = (tokenUnits * pricePips) / 10_000n;
    const order = this.driver.orderOf({
      maker: position.account,
      token: market.yes,
      side: isBuy ? OrderSide.Buy : OrderSide.Sell,
      tokenUnits,
      usdcUnits,
      isContract: true,
    });
    const attested = { token: market.yes, purpose, markPips: pricePips, limitPips: pricePips, venueFeeBps: 350n };
    await this.driver.authorizeOrder({ position, order, attestation: await this.driver.attestation(attested) });
    const traded = isBuy ? usdcUnits - surplus : usdcUnits + surplus;
    const making = sharesOf(settlement, { tokenUnits, usdcUnits: traded }).map(({ isDirect, ...share }) =>
      this.trades.orderOf(isDirect ? taker : maker, isBuy === isDirect ? 'sell' : 'buy', {
        token: isDirect ? 'yes' : 'no',
        tokenUnits: share.tokenUnits,
        usdcUnits: isDirect ? share.usdcUnits : share.tokenUnits - share.usdcUnits,
      }),
    );
    await this.trades.match({ taking: order, takingSignature: accountSignature, making, fee });
  }

  /** The next block is so long after the last that was made so, however busy the machine is meanwhile. */
  async hold(): Promise<void> {
    this.#reckonedAt = (this.#reckonedAt ?? (await this.driver.rpc.nowSeconds())) + heldSeconds;
    await this.driver.rpc.setNextBlockTime(this.#reckonedAt);
  }

  /** To where the lives begin. */
  async reset(): Promise<void> {
    this.#reckonedAt = undefined;
    await this.opened.reset();
  }

  async requestClose(position: LocalPosition, tokenUnits: bigint): Promise<void> {
    await this.driver.requestClose({ position, sender: this.driver.deployment.roles.alice, tokenUnits });
  }

  /** Return the figures of vault and pool and all balances, where no figure is an address, a hash or a time. */
  async picture(position: LocalPosition) {
    const { contracts, roles } = this.driver.deployment;
    const { market, maker } = this.trades;
    await this.hold();
    await this.driver.rpc.mine(1);
    const stored = await this.driver.positionOf(position);
    const read = { address: contracts.pool, abi: liquidityPoolAbi } as const;
    const units = (address: Hex) => this.driver.usdcOf(address);
    return {
      state: PositionState[stored.state as never] ?? stored.state,
      tokenUnits: stored.tokenUnits,
      principal: stored.principalUsdcUnits,
      badDebt: stored.badDebtUsdcUnits,
      filled: stored.filledUsdcUnits,
      book: await this.driver.rpc.client.readContract({ ...read, functionName: 'bookOf' }),
      cash: await Promise.all(
        [
          position.account,
          contracts.exchange,
          contracts.pool,
          contracts.conditionalTokens,
          maker.address,
          roles.alice.address,
          roles.venueFeeRecipient.address,
        ].map(units),
      ),
      tokens: await Promise.all(
        [market.yes, market.no].flatMap((token) =>
          [position.account, contracts.exchange, maker.address, roles.alice.address].map((owner) =>
            this.driver.tokensOf(owner, token),
          ),
        ),
      ),
      debt: await this.driver.rpc.client.readContract({
        address: contracts.vault,
        abi: vaultAbi,
        functionName: 'debtOf',
        args: [position.positionKey],
      }),
    };
  }
}

/** The lives, step by step; each step's picture is compared. */
const lives: readonly (readonly [string, (life: Lives) => Promise<LocalPosition>])[] = [
  ['opens directly at its price', (life) => opened(life, { settlement: 'direct', fee: 9_000_000n })],
  ['opens directly at a better price', (life) => opened(life, { settlement: 'direct', fee: 0n, surplus: 7_000_003n })],
  ['opens through a mint and a maker across in one match', (life) => opened(life, mixedly)],
  ['opens through a mint', (life) => opened(life, { settlement: 'paired', fee: 9_000_000n })],
  ['opens through a mint at a better price', (life) => opened(life, mintedCheaply)],
  [
    'opens in two parts, one of each',
    async (life) => {
      const position = await life.create();
      const terms = { purpose: Purpose.Open, pricePips: 5_000n, fee: 3_000_001n, surplus: 1_000_001n } as const;
      await life.fill(position, { ...terms, tokenUnits: tokens / 3n, settlement: 'paired' });
      await life.order(position, { ...terms, tokenUnits: tokens / 2n, settlement: 'direct' });
      return position;
    },
  ],
  ['closes a part directly', (life) => closed(life, tokens / 3n, { settlement: 'direct', fee: 3_300_000n })],
  ['closes a part through a merge', (life) => closed(life, tokens / 3n, { settlement: 'paired', fee: 3_300_000n })],
  ['closes a part through a merge and a maker across in one match', (life) => closed(life, tokens / 3n, mixedly)],
  ['closes all in one match of each for more than asked', (life) => closed(life, tokens, soldDearly('mixed'))],
  ['closes all directly for more than asked', (life) => closed(life, tokens, soldDearly('direct'))],
  ['closes all through a merge for more than asked', (life) => closed(life, tokens, soldDearly('paired'))],
  [
    'unwinds a part through a merge and closes the rest directly',
    async (life) => {
      const position = await opened(life, mintedCheaply);
      const sale = { pricePips: 5_500n, settlement: 'paired', fee: 2_000_000n } as const;
      await life.order(position, { ...sale, purpose: Purpose.Unwind, tokenUnits: 180_000_000n });
      const { tokenUnits } = await life.driver.positionOf(position);
      await life.requestClose(position, tokenUnits);
      await life.order(position, { ...sale, purpose: Purpose.Close, tokenUnits, settlement: 'direct' });
      return position;
    },
  ],
  [
    'is liquidated in one match of each that does not pay its debt',
    async (life) => {
      const position = await opened(life, mixedly);
      const sale = { pricePips: 3_000n, settlement: 'mixed', fee: 1_000_000n } as const;
      await life.order(position, { ...sale, purpose: Purpose.Liquidate, tokenUnits: tokens });
      return position;
    },
  ],
  [
    'is liquidated through a merge that does not pay its debt',
    async (life) => {
      const position = await opened(life, { settlement: 'direct', fee: 9_000_000n });
      const sale = { pricePips: 3_000n, settlement: 'paired', fee: 1_000_000n } as const;
      await life.order(position, { ...sale, purpose: Purpose.Liquidate, tokenUnits: tokens });
      return position;
    },
  ],
  [
    'is settled after its market is decided for it',
    async (life) => {
      const position = await opened(life, mintedCheaply);
      await life.driver.reportPayouts(life.trades.market, [1n, 0n]);
      await life.settle(position);
      return position;
    },
  ],
  [
    'is settled after its market is decided against it, and late money is claimed',
    async (life) => {
      const position = await opened(life, mintedCheaply);
      await life.driver.reportPayouts(life.trades.market, [0n, 1n]);
      await life.settle(position);
      const { contracts, roles } = life.driver.deployment;
      const args = [position.account, 250_000_000n] as const;
      const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args });
      await life.driver.rpc.send(roles.bob, { to: contracts.usdc, data });
      await life.driver.claim(position, roles.alice);
      return position;
    },
  ],
];

const mixedly = { settlement: 'mixed', fee: 3_300_000n, surplus: 2_000_001n } as const;
const mintedCheaply = { settlement: 'paired', fee: 8_500_000n, surplus: 11_000_001n } as const;
const soldDearly = (settlement: Settlement) => ({ settlement, fee: 5_000_000n, surplus: 4_000_003n }) as const;

async function opened(life: Lives, terms: Pick<Order, 'settlement' | 'fee' | 'surplus'>): Promise<LocalPosition> {
  const position = await life.create();
  await life.order(position, { purpose: Purpose.Open, tokenUnits: tokens, pricePips: 5_000n, ...terms });
  return position;
}

async function closed(
  life: Lives,
  tokenUnits: bigint,
  terms: Pick<Order, 'settlement' | 'fee' | 'surplus'>,
): Promise<LocalPosition> {
  const position = await opened(life, { settlement: 'direct', fee: 9_000_000n });
  await life.requestClose(position, tokenUnits);
  await life.order(position, { purpose: Purpose.Close, tokenUnits, pricePips: 5_500n, ...terms });
  return position;
}

describe('V2: a position on either venue', () => {
  const venues: Lives[] = [];

  before(async () => {
    for (const exchange of exchanges) venues.push(await Lives.on(exchange));
  });

  after(async () => {
    for (const { opened: market } of venues) await market.close();
  });

  for (const [name, live] of lives) {
    it(`${name}, to the unit as on the other`, async () => {
      const pictures = [];
      for (const venue of venues) {
        await venue.reset();
        pictures.push(await venue.picture(await live(venue)));
      }
      assert.deepEqual(pictures[0], pictures[1]);
      if (pictures[0]?.tokenUnits === tokens) assert.ok(pictures[0].debt[1] > 1_600_000n, 'a month of fees is owed');
      assert.equal(pictures[0]?.cash[1], 0n, 'nothing stays in the exchange');
    });
  }
});
