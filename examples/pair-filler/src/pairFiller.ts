import { setTimeout as delay } from 'node:timers/promises';
import {
  conditionalTokensAbi,
  isManagedToken,
  Purpose,
  pairFillerAbi,
  tokenIdsOf,
  vaultAbi,
  venueExchangeAbi,
} from '@core/vault';
import {
  type Address,
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  type LocalAccount,
  maxUint256,
  zeroHash,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type Amounts, type Grant, proceedsOf, purchaseAt, saleAt } from './prices.ts';
import { readBids, sellAtBids, type Venue } from './venue.ts';

export interface FillerSettings {
  readonly rpcUrl: string;
  readonly venueUrl: string;
  readonly vault: Address;
  /** PairFiller of the deployment. */
  readonly pairFiller: Address;
  readonly privateKey: Hex;
  /** Profit of a fill as a share of its USDC, and its gas, which it earns besides. */
  readonly marginBps: bigint;
  readonly gasUsdcUnits: bigint;
  /** False for a filler that takes openings alone. */
  readonly takesSales: boolean;
  readonly say: (line: string) => void;
}

/** Market of a grant. */
interface Market {
  readonly conditionId: Hex;
  readonly tokenIds: readonly [bigint, bigint];
}

interface Call {
  readonly to: Address;
  readonly data: Hex;
}

const pollMs = 250;
/** A fill is sent before the last block would take it, so its gas cannot be estimated. */
const gas = 1_000_000n;
/** Tokens are sold in steps of 0.01, five at least. */
const saleStep = 10_000n;
const smallestSale = 5_000_000n;
/** Reads of a balance after an order: a quarter of a minute. */
const settleReads = 60;
/** Share of a fill by which its maxima exceed it: the fee part grows until it is included. */
const morePercent = 103n;

/** Fill grants with one account until a signal ends it. */
export async function runPairFiller(settings: FillerSettings, signal: AbortSignal): Promise<void> {
  const chain = await openChain(settings);
  await approveAll(chain);
  const filler = new PairFiller(chain, settings);
  settings.say(`${chain.account.address} fills`);
  while (!signal.aborted) {
    await filler.round().catch((error: unknown) => settings.say(`round: ${String(error)}`));
    await delay(pollMs);
  }
}

type Chain = Awaited<ReturnType<typeof openChain>>;

/** Open the account, and read every other contract from the vault. */
async function openChain({ rpcUrl, venueUrl, privateKey, ...settings }: FillerSettings) {
  const transport = http(rpcUrl);
  const account: LocalAccount = privateKeyToAccount(privateKey);
  const client = createPublicClient({ transport, cacheTime: 0, pollingInterval: pollMs });
  const wallet = createWalletClient({ account, transport });
  const vault = { address: settings.vault, abi: vaultAbi } as const;
  const usdc = await client.readContract({ ...vault, functionName: 'usdc' });
  const conditionalTokens = await client.readContract({ ...vault, functionName: 'conditionalTokens' });
  const collateralToken = await client.readContract({ ...vault, functionName: 'ctfCollateral' });
  const redeemer = await client.readContract({ ...vault, functionName: 'redeemer' });
  const exchange = await client.readContract({ ...vault, functionName: 'exchange' });
  const domainOf = { address: exchange, abi: venueExchangeAbi, functionName: 'eip712Domain' } as const;
  const [, name, version, chainId] = await client.readContract(domainOf);
  const venue: Venue = { url: venueUrl, domain: { name, version, chainId: Number(chainId), exchange } };
  const tokens = { address: conditionalTokens, abi: conditionalTokensAbi } as const;
  let last: Promise<unknown> = Promise.resolve();
  /** Send calls one after the other, and return true for one that a block included and did not revert. */
  const send = async (call: Call): Promise<boolean> => {
    const submit = async (): Promise<Hex> => {
      const nonce = await client.getTransactionCount({ address: account.address, blockTag: 'pending' });
      return wallet.sendTransaction({ ...call, gas, nonce, chain: null });
    };
    const hash = last.then(submit, submit);
    last = hash;
    const { status } = await client.waitForTransactionReceipt({ hash: await hash });
    return status === 'success';
  };
  return {
    account,
    client,
    vault,
    pairFiller: settings.pairFiller,
    usdc,
    tokens,
    collateralToken,
    redeemer,
    venue,
    send,
  };
}

/** Approve what fills, merges and sales need: docs/fillers.md, Approvals. */
async function approveAll({ vault, pairFiller, usdc, tokens, redeemer, venue, send }: Chain): Promise<void> {
  for (const spender of [vault.address, pairFiller]) {
    const args = [spender, maxUint256] as const;
    await send({ to: usdc, data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }) });
  }
  for (const operator of new Set([venue.domain.exchange, redeemer])) {
    const call = { abi: conditionalTokensAbi, functionName: 'setApprovalForAll', args: [operator, true] } as const;
    await send({ to: tokens.address, data: encodeFunctionData(call) });
  }
}

/** Filler that makes pairs for openings, pays for the tokens of sales, and sells what it holds at once. */
class PairFiller {
  readonly #chain: Chain;
  readonly #settings: FillerSettings;
  readonly #live = new Set<Hex>();
  readonly #markets = new Map<Hex, Market>();
  /** Grants that are being filled, and markets in which tokens are being sold. */
  readonly #busy = new Set<Hex>();
  #readThrough: bigint | null = null;

  constructor(chain: Chain, settings: FillerSettings) {
    this.#chain = chain;
    this.#settings = settings;
  }

  /** Consider every live grant, and sell what is held. Neither is awaited: another grant may begin meanwhile. */
  async round(): Promise<void> {
    const { client, vault } = this.#chain;
    const head = await client.getBlock();
    const before = await client.getBlock({ blockNumber: head.number - 1n });
    const fromBlock = (this.#readThrough ?? head.number - 20n) + 1n;
    if (fromBlock <= head.number) {
      const range = { fromBlock: fromBlock < 0n ? 0n : fromBlock, toBlock: head.number, strict: true } as const;
      const begun = await client.getContractEvents({ ...vault, eventName: 'GrantAuthorized', ...range });
      for (const { args } of begun) this.#live.add(args.positionKey);
      this.#readThrough = head.number;
    }
    // A fill is priced by the block that includes it.
    const paceSeconds = Math.min(12, Math.max(1, Number(head.timestamp - before.timestamp)));
    for (const key of this.#live) this.#begin(key, () => this.#consider(key, Number(head.timestamp), paceSeconds));
    for (const market of this.#markets.values()) this.#begin(market.conditionId, () => this.#sellHeld(market));
  }

  /** Begin some work for a key, unless the last one is not done. */
  #begin(key: Hex, work: () => Promise<void>): void {
    if (this.#busy.has(key)) return;
    this.#busy.add(key);
    work()
      .catch((error: unknown) => this.#settings.say(`${key}: ${String(error)}`))
      .finally(() => this.#busy.delete(key));
  }

  /** Fill all that is left of a grant where its price in the next block covers the hedge, the gas and the margin. */
  async #consider(key: Hex, headSeconds: number, paceSeconds: number): Promise<void> {
    const { client, vault, usdc, account } = this.#chain;
    const args = [key] as const;
    const grant = await client.readContract({ ...vault, functionName: 'grantOf', args });
    if (grant.purpose === Purpose.None || grant.endsAt < headSeconds) return void this.#live.delete(key);
    const nextSeconds = headSeconds + paceSeconds;
    const isOpening = grant.purpose === Purpose.Open;
    if (nextSeconds > grant.endsAt || (!isOpening && !this.#settings.takesSales)) return;
    const position = await client.readContract({ ...vault, functionName: 'positionOf', args });
    const outcome = await client.readContract({ ...vault, functionName: 'outcomeOf', args: [position.outcomeId] });
    if (isManagedToken(outcome.tokenId)) return;
    const { conditionId, tokenId } = outcome;
    const market = { conditionId, tokenIds: tokenIdsOf({ conditionId, collateralToken: this.#chain.collateralToken }) };
    const complementId = market.tokenIds[0] === tokenId ? market.tokenIds[1] : market.tokenIds[0];
    const second = Math.max(0, nextSeconds - grant.startsAt);
    const fill = isOpening ? purchaseAt(grant, second, position) : saleAt(grant, second);
    const profit = await this.#profitOf(grant, fill, isOpening ? complementId : tokenId);
    if (profit === null || profit * 10_000n < fill.usdcUnits * this.#settings.marginBps) return;
    const money = { address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [account.address] } as const;
    const pays = isOpening ? fill.tokenUnits - fill.usdcUnits : fill.usdcUnits;
    if ((await client.readContract(money)) < pays) return;
    const isIncluded = await this.#chain.send(this.#callOf(key, fill, isOpening ? complementId : null));
    this.#markets.set(conditionId, market);
    const name = isOpening ? 'opening' : 'sale';
    this.#settings.say(`${name} ${key} at ${second} s: ${isIncluded ? 'filled' : 'another filler was first'}`);
  }

  /**
   * Return the profit of a fill whose other tokens are sold at the bids, in USDC units; null where they take fewer. The
   * grant's whole fee part is the venue's fee for its size, and the fee for the other token of a pair is the same.
   */
  async #profitOf(grant: Grant, { tokenUnits, usdcUnits }: Amounts, soldTokenId: bigint): Promise<bigint | null> {
    const isOpening = grant.purpose === Purpose.Open;
    const sold = proceedsOf(await readBids(this.#chain.venue, soldTokenId), tokenUnits);
    if (sold === null) return null;
    const traded = isOpening ? usdcUnits : sold.usdcUnits;
    const fee = (traded * BigInt(grant.venueFeeBps)) / 10_000n + 1n;
    const proceeds = sold.usdcUnits - fee - this.#settings.gasUsdcUnits;
    // A pair costs a dollar, of which the vault pays its part.
    return isOpening ? usdcUnits + proceeds - tokenUnits : proceeds - usdcUnits;
  }

  /** Return the call of a fill: with a pair for an opening, by the vault itself for a sale. */
  #callOf(key: Hex, { tokenUnits, usdcUnits }: Amounts, complementId: bigint | null): Call {
    const { vault, pairFiller } = this.#chain;
    if (complementId === null) {
      const args = [key, usdcUnits, tokenUnits, '0x'] as const;
      return { to: vault.address, data: encodeFunctionData({ abi: vaultAbi, functionName: 'fill', args }) };
    }
    // In a later block the fee part is larger, and the same USDC a smaller trade. The vault takes no more than is left.
    const [give, take] = [tokenUnits, usdcUnits].map((units) => (units * morePercent) / 100n);
    const args = [key, give ?? tokenUnits, take ?? usdcUnits, complementId] as const;
    return { to: pairFiller, data: encodeFunctionData({ abi: pairFillerAbi, functionName: 'fill', args }) };
  }

  /** Turn pairs of a market into USDC, and sell the other tokens to the bids; after the end all are redeemed. */
  async #sellHeld({ conditionId, tokenIds }: Market): Promise<void> {
    const { client, tokens, collateralToken, redeemer, account, venue, send } = this.#chain;
    const heldOf = (tokenId: bigint): Promise<bigint> =>
      client.readContract({ ...tokens, functionName: 'balanceOf', args: [account.address, tokenId] });
    const [yes, no] = [await heldOf(tokenIds[0]), await heldOf(tokenIds[1])];
    const pairs = yes < no ? yes : no;
    const [tokenId, single] = yes > no ? [tokenIds[0], yes - no] : [tokenIds[1], no - yes];
    if (pairs >= smallestSale) {
      const args = [collateralToken, zeroHash, conditionId, [1n, 2n], pairs] as const;
      const call = { abi: conditionalTokensAbi, functionName: 'mergePositions', args } as const;
      await send({ to: redeemer, data: encodeFunctionData(call) });
    }
    if (single < smallestSale) return;
    const isDecided = { ...tokens, functionName: 'payoutDenominator', args: [conditionId] } as const;
    if ((await client.readContract(isDecided)) > 0n) {
      const args = [collateralToken, zeroHash, conditionId, [1n, 2n]] as const;
      const call = { abi: conditionalTokensAbi, functionName: 'redeemPositions', args } as const;
      await send({ to: redeemer, data: encodeFunctionData(call) });
      return;
    }
    const tokenUnits = single - (single % saleStep);
    const sold = proceedsOf(await readBids(venue, tokenId), tokenUnits);
    if (sold === null) return;
    const before = await heldOf(tokenId);
    await sellAtBids(venue, account, { tokenId, tokenUnits, pricePips: sold.worstPips });
    // The venue settles seconds later: until then the tokens are still here.
    for (let reads = 0; reads < settleReads && (await heldOf(tokenId)) === before; reads += 1) await delay(pollMs);
  }
}
