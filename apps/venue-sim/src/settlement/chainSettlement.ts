import { conditionalTokensAbi, OrderSide, testUsdcAbi, venueExchangeAbi } from '@core/vault';
import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, type PublicClient, zeroHash } from 'viem';
import type { MarketDefinition } from '../catalogue/marketDefinition.ts';
import { ChainWallets } from './chainWallets.ts';
import { ManagedConditions } from './managedConditions.ts';
import { matchArguments } from './matchArguments.ts';
import { makerBalanceOf, orderRefusalOf } from './orderCheck.ts';
import type {
  ExchangeTraps,
  MakerBalance,
  Settlement,
  SettlementMatch,
  SettlementResult,
  SignedOrder,
} from './settlement.ts';
import type { SimulatedAccounts } from './simulatedAccounts.ts';
import { ChainFault, localClient, TransactionSender } from './transactionSender.ts';

export interface ChainContracts {
  readonly usdc: Address;
  readonly conditionalTokens: Address;
  readonly exchange: Address;
  /** Oracle of the PositionManager and its module of binary conditions; needed for markets there. */
  readonly oracleAggregator?: Address;
  readonly binaryModule?: Address;
}

export interface ChainSettlementOptions {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly contracts: ChainContracts;
  readonly operatorKey: Hex;
  readonly oracleKey: Hex;
  readonly accounts: SimulatedAccounts;
  /** Longest pause between two reads of a receipt. */
  readonly receiptPollMs: number;
}

/** Minimum pairs per split of a simulated account, so that it does not split for every match. */
const splitPairTokenUnits = 25_000_000_000n;
/** Minimum balance of a simulated account at the opening of the venue. */
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

/** Settlement on the local chain. Operator, oracle and simulated accounts each have their own key and nonces. */
export class ChainSettlement implements Settlement {
  readonly isOnChain = true;
  readonly #options: ChainSettlementOptions;
  readonly #client: PublicClient;
  readonly #operator: TransactionSender;
  readonly #oracle: TransactionSender;
  readonly #managed: ManagedConditions;
  readonly #senders = new Map<string, TransactionSender>();
  /** Last submission. Matches are submitted one after the other and awaited concurrently. */
  #last: Promise<unknown> = Promise.resolve();
  /** Token units of simulated accounts reserved by pending matches, by account and token. */
  readonly #reserved = new Map<string, bigint>();

  constructor(options: ChainSettlementOptions) {
    this.#options = options;
    this.#client = localClient(options.rpcUrl, options.receiptPollMs);
    const sender = (key: Hex): TransactionSender => new TransactionSender(this.#client, key, options.chainId);
    this.#operator = sender(options.operatorKey);
    this.#oracle = sender(options.oracleKey);
    this.#managed = new ManagedConditions({ client: this.#client, oracle: this.#oracle, ...options.contracts });
    for (const account of options.accounts.accounts) this.#senders.set(account.address, sender(account.privateKey));
  }

  /** Fault injection of the exchange by the operator. */
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

  /** Return the deposit wallets of a factory that takes transactions from this operator. */
  walletsOf(walletFactory: Address): ChainWallets {
    return new ChainWallets({ client: this.#client, operator: this.#operator, walletFactory });
  }

  /** Read the receiver of the exchange's fees. */
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

  /** Fund the simulated accounts where needed and approve the exchange. */
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
    if (market.version === 'v2') return this.#managed.list(market);
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

  refusalOf(order: SignedOrder, orderId: Hex, isSigned: boolean): Promise<string | null> {
    return orderRefusalOf({ client: this.#client, ...this.#options.contracts }, order, isSigned ? null : orderId);
  }

  balanceOf(owner: Address, tokenId: bigint | null): Promise<MakerBalance> {
    return makerBalanceOf({ client: this.#client, ...this.#options.contracts }, owner, tokenId);
  }

  async settle(match: SettlementMatch, mustRevert: boolean): Promise<SettlementResult> {
    const stocks = this.#stocksOf(match);
    const submission = this.#last.then(() => this.#send({ match, mustRevert, stocks }));
    this.#last = submission.catch(() => undefined);
    try {
      const { hash, isSuccess } = await this.#operator.included(await submission);
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

  /** Reserve the tokens that simulated accounts sell in a match, and return them. */
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
      const soldUnits = sold.get(key)?.units ?? 0n;
      sold.set(key, { key, sender, tokenId: order.tokenId, units: soldUnits + units });
    }
    for (const { key, units } of sold.values()) this.#promise(key, units);
    return [...sold.values()];
  }

  #promise(key: string, units: bigint): void {
    const promised = (this.#reserved.get(key) ?? 0n) + units;
    if (promised === 0n) this.#reserved.delete(key);
    else this.#reserved.set(key, promised);
  }

  /** Split USDC for a simulated account whose tokens do not cover its reservations. */
  async #fill({ key, sender, tokenId }: Stock, conditionId: Hex): Promise<void> {
    const missing = (this.#reserved.get(key) ?? 0n) - (await this.#tokensOf(sender.address, tokenId));
    if (missing <= 0n) return;
    const { usdc, conditionalTokens } = this.#options.contracts;
    const pairs = missing > splitPairTokenUnits ? missing : splitPairTokenUnits;
    await sender.must(conditionalTokens, splitData(usdc, conditionId, pairs), 'splitPosition');
  }

  /** Return true for a settled match. A taker's order is matched once, so any fill on chain is that match. */
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
    if (market.version === 'v2') return this.#managed.report(market, payouts);
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
      this.#client.request<{ Parameters: readonly unknown[]; ReturnType: unknown }>({ method, params });
    await control('evm_increaseTime', [seconds]);
    await control('evm_mine', []);
  }
}
