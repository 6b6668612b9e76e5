import { conditionalTokensAbi, OrderSide, testUsdcAbi, venueExchangeAbi } from '@core/vault';
import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, type PublicClient, zeroHash } from 'viem';
import type { MarketDefinition } from '../catalogue/marketDefinition.ts';
import { matchArguments } from './matchArguments.ts';
import { orderRefusalOf } from './orderCheck.ts';
import type { ExchangeTraps, Settlement, SettlementMatch, SettlementResult, SignedOrder } from './settlement.ts';
import type { SimulatedAccounts } from './simulatedAccounts.ts';
import { ChainFault, localClient, TransactionSender } from './transactionSender.ts';

export interface ChainContracts {
  readonly usdc: Address;
  readonly conditionalTokens: Address;
  readonly exchange: Address;
}

export interface ChainSettlementOptions {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly contracts: ChainContracts;
  readonly operatorKey: Hex;
  readonly oracleKey: Hex;
  readonly accounts: SimulatedAccounts;
}

/** Pairs a simulated account splits at least, so that it does not come back for every match. */
const splitPairTokenUnits = 25_000_000_000n;
/** A simulated account with less than this is funded when the venue opens. */
const openingUsdcUnits = 1_000_000_000_000n;

const splitData = (usdc: Address, conditionId: Hex, units: bigint): Hex =>
  encodeFunctionData({
    abi: conditionalTokensAbi,
    functionName: 'splitPosition',
    args: [usdc, zeroHash, conditionId, [1n, 2n], units],
  });

/** Tokens that a simulated account sells in a match. */
interface Stock {
  readonly key: string;
  readonly sender: TransactionSender;
  readonly tokenId: bigint;
  readonly units: bigint;
}

/** Settles on the local chain: operator, oracle and simulated accounts each with their own key and nonces. */
export class ChainSettlement implements Settlement {
  readonly isOnChain = true;
  readonly #options: ChainSettlementOptions;
  readonly #client: PublicClient;
  readonly #operator: TransactionSender;
  readonly #oracle: TransactionSender;
  readonly #senders = new Map<string, TransactionSender>();
  /** Matches are stocked and sent one after the other, and waited for side by side. */
  #last: Promise<unknown> = Promise.resolve();
  /** Token units of simulated accounts that matches under way will take, by account and token. */
  readonly #promised = new Map<string, bigint>();

  constructor(options: ChainSettlementOptions) {
    this.#options = options;
    this.#client = localClient(options.rpcUrl);
    const sender = (key: Hex): TransactionSender => new TransactionSender(this.#client, key, options.chainId);
    this.#operator = sender(options.operatorKey);
    this.#oracle = sender(options.oracleKey);
    for (const account of options.accounts.accounts) this.#senders.set(account.address, sender(account.privateKey));
  }

  /** Traps that the operator sets in the exchange. */
  readonly traps: ExchangeTraps = {
    looseDirectFills: (on) => {
      const args = [false, on] as const;
      return this.#trap(encodeFunctionData({ abi: venueExchangeAbi, functionName: 'setTraps', args }));
    },
    pauseUser: (account, paused) => {
      const args = [account, paused] as const;
      return this.#trap(encodeFunctionData({ abi: venueExchangeAbi, functionName: 'pauseByOperator', args }));
    },
  };

  async #trap(data: Hex): Promise<void> {
    await this.#operator.must(this.#options.contracts.exchange, data, 'setting a trap');
  }

  get operator(): Address {
    return this.#operator.address;
  }

  get oracle(): Address {
    return this.#oracle.address;
  }

  /** Who receives the exchange's fees. */
  feeRecipient(): Promise<Address> {
    return this.#client.readContract({
      address: this.#options.contracts.exchange,
      abi: venueExchangeAbi,
      functionName: 'getFeeReceiver',
    });
  }

  /** Time of the latest block, epoch milliseconds. */
  async chainNowMs(): Promise<number> {
    return Number((await this.#client.getBlock({ blockTag: 'latest' })).timestamp) * 1000;
  }

  /** Funds the simulated accounts where needed and lets the exchange move what they trade. */
  async open(): Promise<void> {
    await Promise.all([...this.#senders.values()].map((sender) => this.#openAccount(sender)));
  }

  async #openAccount(sender: TransactionSender): Promise<void> {
    const { usdc, conditionalTokens, exchange } = this.#options.contracts;
    const owner = sender.address;
    const [balance, allowance, isApproved] = await Promise.all([
      this.#client.readContract({ address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [owner] }),
      this.#client.readContract({ address: usdc, abi: erc20Abi, functionName: 'allowance', args: [owner, exchange] }),
      this.#isApproved(owner),
    ]);
    if (balance < openingUsdcUnits) {
      const args = [owner, openingUsdcUnits] as const;
      await sender.must(usdc, encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args }), 'mint');
    }
    const approve = (spender: Address): Hex =>
      encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, maxUint256] });
    if (allowance < maxUint256 / 2n) {
      await sender.must(usdc, approve(exchange), 'approve');
      await sender.must(usdc, approve(conditionalTokens), 'approve');
    }
    if (isApproved) return;
    const args = [exchange, true] as const;
    const data = encodeFunctionData({ abi: conditionalTokensAbi, functionName: 'setApprovalForAll', args });
    await sender.must(conditionalTokens, data, 'setApprovalForAll');
  }

  #isApproved(owner: Address): Promise<boolean> {
    const { conditionalTokens, exchange } = this.#options.contracts;
    return this.#client.readContract({
      address: conditionalTokens,
      abi: conditionalTokensAbi,
      functionName: 'isApprovedForAll',
      args: [owner, exchange],
    });
  }

  #tokensOf(owner: Address, tokenId: bigint): Promise<bigint> {
    return this.#client.readContract({
      address: this.#options.contracts.conditionalTokens,
      abi: conditionalTokensAbi,
      functionName: 'balanceOf',
      args: [owner, tokenId],
    });
  }

  async list(market: MarketDefinition): Promise<void> {
    const { conditionalTokens } = this.#options.contracts;
    const slots = await this.#client.readContract({
      address: conditionalTokens,
      abi: conditionalTokensAbi,
      functionName: 'getOutcomeSlotCount',
      args: [market.conditionId],
    });
    if (slots !== 0n) return;
    const args = [this.oracle, market.questionId, 2n] as const;
    const data = encodeFunctionData({ abi: conditionalTokensAbi, functionName: 'prepareCondition', args });
    await this.#oracle.must(conditionalTokens, data, `preparing ${market.slug}`);
  }

  refusalOf(order: SignedOrder, orderId: Hex): Promise<string | null> {
    return orderRefusalOf({ client: this.#client, ...this.#options.contracts }, order, orderId);
  }

  async settle(match: SettlementMatch, mustRevert: boolean): Promise<SettlementResult> {
    const stocks = this.#stocksOf(match);
    const sent = this.#last.then(() => this.#send({ match, mustRevert, stocks }));
    this.#last = sent.catch(() => undefined);
    try {
      const { hash, isSuccess } = await this.#operator.included(await sent);
      return { transactionHash: hash, isSuccess };
    } catch (error) {
      if (error instanceof ChainFault) return { transactionHash: null, isSuccess: false };
      throw error;
    } finally {
      for (const { key, units } of stocks) this.#promise(key, -units);
    }
  }

  async #send({
    match,
    mustRevert,
    stocks,
  }: {
    readonly match: SettlementMatch;
    readonly mustRevert: boolean;
    readonly stocks: readonly Stock[];
  }): Promise<Hex> {
    for (const stock of stocks) await this.#fill(stock, match.market.conditionId);
    const data = encodeFunctionData({
      abi: venueExchangeAbi,
      functionName: 'matchOrders',
      args: matchArguments(match, mustRevert),
    });
    return this.#operator.submit(this.#options.contracts.exchange, data);
  }

  /** What simulated accounts sell in a match, promised from now on. */
  #stocksOf(match: SettlementMatch): readonly Stock[] {
    const sold = new Map<string, Stock>();
    const total = match.fills.reduce((sum, fill) => sum + fill.tokenUnits, 0n);
    const sides = [
      { order: match.taker, units: total },
      ...match.fills.map((fill) => ({ order: fill.maker, units: fill.tokenUnits })),
    ];
    for (const { order, units } of sides) {
      const sender = this.#senders.get(order.maker);
      if (order.side !== OrderSide.Sell || sender === undefined) continue;
      const key = `${order.maker}/${order.tokenId}`;
      const known = sold.get(key)?.units ?? 0n;
      sold.set(key, { key, sender, tokenId: order.tokenId, units: known + units });
    }
    for (const { key, units } of sold.values()) this.#promise(key, units);
    return [...sold.values()];
  }

  #promise(key: string, units: bigint): void {
    const promised = (this.#promised.get(key) ?? 0n) + units;
    if (promised === 0n) this.#promised.delete(key);
    else this.#promised.set(key, promised);
  }

  /** Splits USDC for a simulated account that does not hold what is promised of its tokens. */
  async #fill({ key, sender, tokenId }: Stock, conditionId: Hex): Promise<void> {
    const missing = (this.#promised.get(key) ?? 0n) - (await this.#tokensOf(sender.address, tokenId));
    if (missing <= 0n) return;
    const { usdc, conditionalTokens } = this.#options.contracts;
    const pairs = missing > splitPairTokenUnits ? missing : splitPairTokenUnits;
    await sender.must(conditionalTokens, splitData(usdc, conditionId, pairs), 'splitPosition');
  }

  /** A taker's order is matched once: any fill of it on chain is that match. */
  async isSettled(takerOrderId: Hex): Promise<boolean> {
    const [isFilled, remaining] = await this.#client.readContract({
      address: this.#options.contracts.exchange,
      abi: venueExchangeAbi,
      functionName: 'getOrderStatus',
      args: [takerOrderId],
    });
    return isFilled || remaining > 0n;
  }

  async report(market: MarketDefinition, payouts: readonly [bigint, bigint]): Promise<Hex | null> {
    const { conditionalTokens } = this.#options.contracts;
    const denominator = await this.#client.readContract({
      address: conditionalTokens,
      abi: conditionalTokensAbi,
      functionName: 'payoutDenominator',
      args: [market.conditionId],
    });
    if (denominator > 0n) return null;
    const args = [market.questionId, [...payouts]] as const;
    const data = encodeFunctionData({ abi: conditionalTokensAbi, functionName: 'reportPayouts', args });
    return this.#oracle.must(conditionalTokens, data, `reporting ${market.slug}`);
  }

  async advance(seconds: number): Promise<void> {
    const control = (method: string, params: readonly unknown[]): Promise<unknown> =>
      this.#client.request({ method: method as never, params: params as never });
    await control('evm_increaseTime', [seconds]);
    await control('evm_mine', []);
  }
}
