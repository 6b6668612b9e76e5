import {
  hashVenueOrder,
  OrderSide,
  Purpose,
  positionSeedOf,
  toVenueOrderStruct,
  type VenueOrder,
  venueExchangeAbi,
} from '@core/vault';
import { type ContractFunctionArgs, type ContractFunctionName, encodeFunctionData, type Hex } from 'viem';
import type { LocalAccount, LocalDriver, LocalMarket, LocalPosition } from '../local/index.ts';
import { firstOf, type OpenedMarket } from './openedMarket.ts';

export const tokenUnits = 600_000_000n;
export const usdcUnits = 300_000_000n;

type Writing = ContractFunctionName<typeof venueExchangeAbi, 'nonpayable'>;

interface Match {
  readonly conditionId?: Hex;
  readonly taking: VenueOrder;
  readonly takingSignature?: Hex;
  /** One maker's order, or those of several, each given wholly. */
  readonly making?: VenueOrder | readonly VenueOrder[];
  readonly makingSignature?: Hex;
  readonly gives?: bigint;
  readonly fill?: bigint;
  readonly fee?: bigint;
  readonly makerFee?: bigint;
  readonly sender?: LocalAccount;
}

/** Trades of two accounts with keys, and of a position, on the local exchange. */
export class ExchangeTrades {
  readonly driver: LocalDriver;
  readonly market: LocalMarket;
  readonly maker: LocalAccount;
  readonly taker: LocalAccount;

  private constructor({ driver, market, maker }: OpenedMarket) {
    [this.driver, this.market, this.maker] = [driver, market, maker];
    this.taker = firstOf(driver.deployment.roles.takers);
  }

  /** The taker holds the market's tokens as the maker does. */
  static async on(opened: OpenedMarket): Promise<ExchangeTrades> {
    const trades = new ExchangeTrades(opened);
    const { driver, market } = opened;
    await driver.mintTokens(trades.taker, market, 10_000_000_000n);
    return trades;
  }

  call<const Name extends Writing>(
    from: LocalAccount,
    functionName: Name,
    args: ContractFunctionArgs<typeof venueExchangeAbi, 'nonpayable', Name>,
  ) {
    const data = encodeFunctionData({ abi: venueExchangeAbi, functionName, args } as never);
    return this.driver.rpc.send(from, { to: this.driver.deployment.contracts.exchange, data });
  }

  /** An order of a trader with a key: whole amounts on one of the two tokens. */
  orderOf(
    owner: LocalAccount,
    side: 'buy' | 'sell',
    terms: { readonly token?: 'yes' | 'no'; readonly tokenUnits?: bigint; readonly usdcUnits?: bigint } = {},
  ): VenueOrder {
    return this.driver.orderOf({
      maker: owner.address,
      token: this.market[terms.token ?? 'yes'],
      side: side === 'buy' ? OrderSide.Buy : OrderSide.Sell,
      tokenUnits: terms.tokenUnits ?? tokenUnits,
      usdcUnits: terms.usdcUnits ?? usdcUnits,
      isContract: false,
    });
  }

  /** One match of a taker with its makers, whole and without fees unless said otherwise. */
  match(parameters: Match) {
    const { taking, making = this.orderOf(this.maker, taking.side === OrderSide.Buy ? 'sell' : 'buy') } = parameters;
    const makers = [making].flat();
    return this.call(parameters.sender ?? this.driver.deployment.roles.venueOperator, 'matchOrders', [
      parameters.conditionId ?? this.market.yes.conditionId,
      toVenueOrderStruct(taking, parameters.takingSignature ?? this.driver.signOrder(this.taker, taking)),
      makers.map((order) => toVenueOrderStruct(order, parameters.makingSignature ?? this.#signed(order))),
      parameters.gives ?? taking.makerAmount,
      makers.map(({ makerAmount }) => parameters.fill ?? makerAmount),
      parameters.fee ?? 0n,
      makers.map(() => parameters.makerFee ?? 0n),
    ]);
  }

  #signed(order: VenueOrder): Hex {
    return this.driver.signOrder(order.maker === this.taker.address ? this.taker : this.maker, order);
  }

  statusOf(order: VenueOrder): Promise<readonly [boolean, bigint]> {
    const { chainId, contracts, venueDomain } = this.driver.deployment;
    return this.driver.rpc.client.readContract({
      address: contracts.exchange,
      abi: venueExchangeAbi,
      functionName: 'getOrderStatus',
      args: [hashVenueOrder(order, { ...venueDomain, chainId, exchange: contracts.exchange })],
    });
  }

  /** A position whose opening order is authorised: 300 USDC of YES at 0.50, 15 USDC of fee budget. */
  async authorisedOpening(): Promise<{ readonly position: LocalPosition; readonly order: VenueOrder }> {
    const { alice } = this.driver.deployment.roles;
    const fields = await this.driver.quoteFields({
      user: alice,
      token: this.market.yes,
      positionSeed: positionSeedOf('0x0102030405060708090a0b0c', 0),
      collateralUsdcUnits: 100_000_000n,
      leverageBps: 30_000n,
    });
    const limits = { venueFeeUsdcUnits: 15_000_000n };
    const position = await this.driver.createPosition({
      sender: alice,
      fields,
      signature: this.driver.signQuote(fields),
      limits,
    });
    const order = this.driver.orderOf({
      maker: position.account,
      token: this.market.yes,
      side: OrderSide.Buy,
      tokenUnits,
      usdcUnits,
      isContract: true,
    });
    const terms = { token: this.market.yes, purpose: Purpose.Open, markPips: 5_000n, limitPips: 5_000n } as const;
    await this.driver.authorizeOrder({ position, order, attestation: await this.driver.attestation(terms) });
    return { position, order };
  }
}
