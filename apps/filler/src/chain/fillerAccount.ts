import { marketProtocols } from '@core/market';
import type { FillWay } from '@core/policy';
import { type GrantFill, raw, type TokenUnits, tokenUnits, type UsdcUnits, usdcUnits } from '@core/pricing';
import {
  conditionalTokensAbi,
  isManagedToken,
  type OptionalManagedContracts,
  pairFillerAbi,
  positionRouterAbi,
  readIsDecided,
  readManagedContracts,
  readTokenUnits,
  vaultAbi,
} from '@core/vault';
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  getAbiItem,
  type Hex,
  isAddressEqual,
  type PublicClient,
  parseEventLogs,
  slice,
  type TransactionReceipt,
  zeroHash,
} from 'viem';
import type { TradedMarket } from '../journal/journalLines.ts';
import { missingAllowance, missingOperator } from './approvals.ts';
import { type CallRequest, chainFault, type TransactionSender } from './transactionSender.ts';
import type { LiveGrant } from './vaultGrants.ts';

/** Contracts that the settings name. */
export interface NamedContracts {
  readonly vault: Address;
  readonly usdc: Address;
  readonly conditionalTokens: Address;
  readonly exchange: Address;
  /** Contract that fills purchases with pairs made inside the fill. */
  readonly pairFiller: Address;
  /** Exchange of markets of the PositionManager; those are left alone when it is absent. */
  readonly managedExchange?: Address;
}

/** Contracts that the filler trades with. The vault names those of its second ledger. */
export interface FillerContracts
  extends Omit<NamedContracts, 'managedExchange'>,
    Omit<OptionalManagedContracts, 'oracleAggregator'> {
  /** Null where markets of the PositionManager are left alone. */
  readonly managedExchange: Address | null;
  /** Contract that turns money into pairs and back: ConditionalTokens, or the adapter of a wrapped collateral. */
  readonly redeemer: Address;
}

/** Return all contracts: the vault names the others. @throws Fault retryable when the chain does not answer. */
export async function contractsOf(client: PublicClient, named: NamedContracts): Promise<FillerContracts> {
  const [redeemer, { positionManager, positionRouter }] = await Promise.all([
    client.readContract({ address: named.vault, abi: vaultAbi, functionName: 'redeemer' }),
    readManagedContracts(client, named.vault),
  ]).catch(asChainFault);
  const managedExchange = positionManager === null ? null : (named.managedExchange ?? null);
  return { ...named, redeemer, positionManager, positionRouter, managedExchange };
}

/** Both tokens of a market that the account holds. */
export interface HeldTokens {
  readonly yesTokenUnits: TokenUnits;
  readonly noTokenUnits: TokenUnits;
}

type Call = Pick<CallRequest, 'to' | 'data' | 'gas'>;

/** Fill to call, with the market of its grant. */
interface FillRequest {
  readonly live: Pick<LiveGrant, 'positionKey' | 'grant' | 'tokenId'>;
  readonly chosen: { readonly way: FillWay };
  readonly market: Pick<TradedMarket, 'yesTokenId' | 'noTokenId'>;
  readonly maxima: GrantFill;
}

/** Calls of the PositionManager's router that the filler makes. */
type RouterCall =
  | { readonly functionName: 'merge'; readonly args: readonly [Hex, bigint] }
  | { readonly functionName: 'redeem'; readonly args: readonly [Hex, bigint, bigint] };

/** Return the condition of a market of the PositionManager as its contracts take it, without its padding. */
const managedConditionOf = ({ conditionId }: TradedMarket): Hex =>
  slice(conditionId, 0, marketProtocols.v2.conditionIdBytes);

/** Gas limit of several sales together: twice what each of them uses, and what they have in common. */
const fillGas = 400_000n;
const batchGas = 200_000n;

/** Index sets of both outcomes of a condition. */
const bothOutcomes = [1n, 2n] as const;

/** Alone, because the decoder hashes each event that it is given. */
const fillEvents = [getAbiItem({ abi: vaultAbi, name: 'GrantFilled' })] as const;

/** Accounts of the filler on chain: their balances and the calls that the first one makes. */
export class FillerAccount {
  readonly #client: PublicClient;
  readonly #contracts: FillerContracts;
  readonly #owner: Address;
  /** The filler's account, and its deposit wallet at a venue that wants one. */
  readonly owners: readonly Address[];

  constructor(client: PublicClient, contracts: FillerContracts, owners: readonly [Address, ...Address[]]) {
    this.#client = client;
    this.#contracts = contracts;
    this.owners = owners;
    [this.#owner] = owners;
  }

  /** Return the money of all accounts. @throws Fault retryable when the chain does not answer. */
  async usdcUnits(blockNumber?: bigint): Promise<UsdcUnits> {
    return usdcUnits(await this.#sumOf(null, blockNumber));
  }

  /**
   * Return the units of an outcome token that an account holds, or of money for null.
   * @throws Fault retryable when the chain does not answer.
   */
  async balanceOf(owner: Address, tokenId: bigint | null, blockNumber?: bigint): Promise<bigint> {
    const contracts = this.#contracts;
    const at = blockNumber === undefined ? {} : { blockNumber };
    if (tokenId !== null) {
      const read = readTokenUnits(this.#client, { contracts, tokenId, owner, ...at });
      return raw(await read.catch(asChainFault));
    }
    const money = { address: contracts.usdc, abi: erc20Abi, functionName: 'balanceOf', args: [owner] } as const;
    return this.#client.readContract({ ...money, ...at }).catch(asChainFault);
  }

  async #sumOf(tokenId: bigint | null, blockNumber?: bigint): Promise<bigint> {
    const units = await Promise.all(this.owners.map((owner) => this.balanceOf(owner, tokenId, blockNumber)));
    return units.reduce((sum, one) => sum + one, 0n);
  }

  /** @throws Fault retryable when the chain does not answer. */
  async held({ yesTokenId, noTokenId }: Pick<TradedMarket, 'yesTokenId' | 'noTokenId'>): Promise<HeldTokens> {
    const [yes, no] = await Promise.all([this.tokensOf(yesTokenId), this.tokensOf(noTokenId)]);
    return { yesTokenUnits: yes, noTokenUnits: no };
  }

  /** Return the tokens of all accounts. @throws Fault retryable when the chain does not answer. */
  async tokensOf(tokenId: bigint): Promise<TokenUnits> {
    return tokenUnits(await this.#sumOf(tokenId));
  }

  /**
   * Return true when the result of a market is known.
   * @throws Fault retryable when the chain does not answer, or the ledger says neither.
   */
  isDecided({ conditionId, yesTokenId }: TradedMarket): Promise<boolean> {
    const outcome = { contracts: this.#contracts, conditionId, tokenId: yesTokenId };
    return readIsDecided(this.#client, outcome).catch(asChainFault);
  }

  /** Turn both tokens back into USDC. */
  merge(market: TradedMarket, pairs: TokenUnits): Call {
    return this.#isManaged(market)
      ? this.#routed({ functionName: 'merge', args: [managedConditionOf(market), raw(pairs)] })
      : this.#mergePositions(market.conditionId, raw(pairs));
  }

  /** Turn all tokens of a decided market into its payout, with a call for each token where no call takes both. */
  redeem(market: TradedMarket, { yesTokenUnits, noTokenUnits }: HeldTokens): readonly Call[] {
    if (!this.#isManaged(market)) return [this.#redeemPositions(market.conditionId)];
    return [raw(yesTokenUnits), raw(noTokenUnits)].flatMap((units, index) =>
      units === 0n
        ? []
        : [this.#routed({ functionName: 'redeem', args: [managedConditionOf(market), BigInt(index), units] })],
    );
  }

  #isManaged({ yesTokenId }: TradedMarket): boolean {
    return isManagedToken(yesTokenId);
  }

  #redeemPositions(conditionId: Hex): Call {
    const { redeemer, usdc } = this.#contracts;
    return {
      to: redeemer,
      data: encodeFunctionData({
        abi: conditionalTokensAbi,
        functionName: 'redeemPositions',
        args: [usdc, zeroHash, conditionId, [...bothOutcomes]],
      }),
    };
  }

  /** Return a call of the router. @throws Error for a vault without the PositionManager */
  #routed(call: RouterCall): Call {
    const { positionRouter } = this.#contracts;
    if (positionRouter === null) throw new Error('the vault names no router of the PositionManager');
    return { to: positionRouter, data: encodeFunctionData({ abi: positionRouterAbi, ...call }) };
  }

  /** Call the vault with the maxima of a fill, or the contract that makes the pairs of a purchase inside the fill. */
  callOf({ live: { positionKey, grant, tokenId }, chosen, market, maxima }: FillRequest): Call {
    const { vault, pairFiller } = this.#contracts;
    const { tokenUnits: tokens, usdcUnits: usdc } = maxima;
    const [give, take] = grant.side === 'purchase' ? [raw(tokens), raw(usdc)] : [raw(usdc), raw(tokens)];
    if (chosen.way !== 'pair') {
      const args = [positionKey, give, take, '0x'] as const;
      return { to: vault, data: encodeFunctionData({ abi: vaultAbi, functionName: 'fill', args }) };
    }
    const complement = tokenId === market.yesTokenId ? market.noTokenId : market.yesTokenId;
    const args = [positionKey, give, take, complement] as const;
    return { to: pairFiller, data: encodeFunctionData({ abi: pairFillerAbi, functionName: 'fill', args }) };
  }

  /** Call the vault with the maxima of several sales, which it takes or leaves out one by one. */
  callOfMany(fills: readonly Pick<FillRequest, 'live' | 'maxima'>[]): Call {
    const entries = fills.map(({ live: { positionKey }, maxima }) => ({
      positionKey,
      giveUnits: raw(maxima.usdcUnits),
      takeUnits: raw(maxima.tokenUnits),
    }));
    const data = encodeFunctionData({ abi: vaultAbi, functionName: 'fillMany', args: [entries] });
    return { to: this.#contracts.vault, data, gas: batchGas + fillGas * BigInt(fills.length) };
  }

  /** Return the positions whose grants a transaction of this account filled. */
  filledIn({ logs }: TransactionReceipt): ReadonlySet<Hex> {
    const { vault, pairFiller } = this.#contracts;
    const events = parseEventLogs({ abi: fillEvents, logs });
    return new Set(
      events
        .filter(({ address }) => isAddressEqual(address, vault))
        .filter(({ args }) => [this.#owner, pairFiller].some((filler) => isAddressEqual(args.filler, filler)))
        .map(({ args }) => args.positionKey),
    );
  }

  #mergePositions(conditionId: Hex, pairs: bigint): Call {
    const { redeemer, usdc } = this.#contracts;
    const args = [usdc, zeroHash, conditionId, [...bothOutcomes], pairs] as const;
    const data = encodeFunctionData({ abi: conditionalTokensAbi, functionName: 'mergePositions', args });
    return { to: redeemer, data };
  }

  /**
   * Give the vault and the maker of pairs the approvals that fills need, the exchange those of orders where this
   * account places them, and the redeemer those of merges. Each contract can take all that the account holds, so it
   * holds the float alone (docs/fillers.md).
   */
  async approve(sender: TransactionSender): Promise<void> {
    const { vault, usdc, conditionalTokens, exchange, redeemer, pairFiller } = this.#contracts;
    const { positionManager, positionRouter, managedExchange } = this.#contracts;
    const isTrading = this.owners.length === 1;
    const traders = isTrading ? [vault, exchange] : [vault];
    const managedTraders = [vault, positionRouter, isTrading ? managedExchange : null].filter((one) => one !== null);
    const owner = this.#owner;
    const buyers = [...traders, isTrading ? managedExchange : null].filter((one) => one !== null);
    for (const spender of [...buyers, pairFiller]) {
      const call = await missingAllowance(this.#client, { owner, spender, token: usdc }).catch(asChainFault);
      if (call !== null) await mustSend(sender, { id: `approve:usdc:${spender}`, purpose: 'approve', ...call });
    }
    // ConditionalTokens burns pairs of its caller without an approval.
    const takers = isAddressEqual(redeemer, conditionalTokens) ? traders : [...traders, redeemer];
    await this.#approveOperators(sender, { token: conditionalTokens, spenders: takers, name: 'tokens' });
    if (positionManager === null) return;
    await this.#approveOperators(sender, { token: positionManager, spenders: managedTraders, name: 'managed' });
  }

  async #approveOperators(
    sender: TransactionSender,
    {
      token,
      spenders,
      name,
    }: { readonly token: Address; readonly spenders: readonly Address[]; readonly name: string },
  ): Promise<void> {
    for (const spender of spenders) {
      const call = await missingOperator(this.#client, { owner: this.#owner, spender, token }).catch(asChainFault);
      if (call !== null) await mustSend(sender, { id: `approve:${name}:${spender}`, purpose: 'approve', ...call });
    }
  }
}

async function mustSend(sender: TransactionSender, request: CallRequest): Promise<void> {
  const outcome = await sender.send(request);
  if (outcome.kind !== 'included') throw new Error(`${request.id} failed: ${outcome.kind}`);
}

function asChainFault(cause: unknown): never {
  throw chainFault('the account cannot be read', cause);
}
