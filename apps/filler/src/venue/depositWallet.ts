import {
  conditionalTokensAbi,
  type LedgerContracts,
  SignatureType,
  type SigningKey,
  tokenContractOf,
  type VenueOrder,
} from '@core/vault';
import { type OrderDomain, type WalletCall, walletOrderDigestOf, walletSignatureEndOf } from '@core/venue';
import { type Address, concat, encodeFunctionData, erc20Abi, type Hex, hexToBytes } from 'viem';
import type { FillerAccount, FillerContracts } from '../chain/fillerAccount.ts';
import { type CallRequest, chainFault } from '../chain/transactionSender.ts';
import { assetOf, domainOf, type OrderAmounts, type OrderDomains, type OrderMaker } from './orderMaker.ts';

/** Asset of the wallet: an outcome token, or null for money. */
type Asset = bigint | null;

/** Contracts of the assets that a wallet moves. */
type WalletContracts = LedgerContracts & Pick<FillerContracts, 'usdc'>;

export interface DepositWalletOptions {
  readonly wallet: Address;
  /** Key of its owner, which is the filler's account. */
  readonly owner: SigningKey;
  readonly domains: OrderDomains;
  readonly walletDomain: OrderDomain;
  readonly contracts: WalletContracts;
  readonly account: Pick<FillerAccount, 'balanceOf'>;
  readonly sender: { send(request: CallRequest): Promise<{ readonly kind: string }> };
  readonly venue: { refreshWalletBalance(tokenId: bigint | null): Promise<void> };
  /** The venue's relayer, for wallets from which the owner may not take by itself; null where it may. */
  readonly relayer: { execute(calls: readonly WalletCall[]): Promise<Hex> } | null;
  /** Tokens that an earlier run may have left in it. */
  readonly leftTokenIds: readonly bigint[];
  /** Return a new name of a transaction. */
  readonly newId: () => string;
}

/** Share of a purchase that its fee may take at most, in basis points: the highest that an exchange can charge. */
const highestFeeBps = 1_000n;

/**
 * Deposit wallet of the filler's account at the venue. What an order may spend is moved into it before the order is
 * posted, and everything that no order needs is moved back once one has ended: at rest it is empty.
 */
export class DepositWallet implements OrderMaker {
  readonly signatureType = SignatureType.Erc1271;
  readonly #options: DepositWalletOptions;
  /** Units that orders in progress may spend, by asset. */
  readonly #needs = new Map<Asset, bigint>();
  /** Assets that could not be taken back yet. */
  readonly #left: Set<Asset>;
  /** Settles when the last movement of assets has ended: they are counted one after the other. */
  #moved: Promise<unknown> = Promise.resolve();

  constructor(options: DepositWalletOptions) {
    this.#options = options;
    this.#left = new Set([null, ...options.leftTokenIds]);
  }

  get address(): Address {
    return this.#options.wallet;
  }

  async sign(order: VenueOrder): Promise<Hex> {
    const { domains, walletDomain, owner } = this.#options;
    const domain = domainOf(order.tokenId, domains);
    const digest = walletOrderDigestOf({ order, domain, walletDomain });
    return concat([owner.signHash(hexToBytes(digest)), walletSignatureEndOf({ order, domain })]);
  }

  fund(order: OrderAmounts): Promise<void> {
    return this.#queued(async () => {
      const asset = assetOf(order);
      const needs = this.#needOf(asset) + unitsOf(order);
      const missing = needs - (await this.#balanceOf(asset));
      const owned = await this.#options.account.balanceOf(this.#options.owner.address, asset);
      // The fee is rarely the highest: less than that may do, and the venue refuses what does not.
      const lent = asset === null && owned < missing ? owned : missing;
      // Until an order needs it, whatever is in the wallet is left there.
      this.#left.add(asset);
      if (lent > 0n) await this.#lend(asset, lent);
      await this.#options.venue.refreshWalletBalance(asset);
      this.#needs.set(asset, needs);
    });
  }

  release(order: OrderAmounts): Promise<void> {
    return this.#queued(async () => {
      const asset = assetOf(order);
      this.#needs.set(asset, this.#needOf(asset) - unitsOf(order));
      await this.#takeBack([null, order.tokenId]);
    });
  }

  async takeLeft(): Promise<void> {
    if (this.#left.size > 0) await this.#queued(() => this.#takeBack([]));
  }

  #needOf(asset: Asset): bigint {
    return this.#needs.get(asset) ?? 0n;
  }

  #balanceOf(asset: Asset): Promise<bigint> {
    return this.#options.account.balanceOf(this.#options.wallet, asset);
  }

  #queued(task: () => Promise<void>): Promise<void> {
    const end = this.#moved.then(task);
    this.#moved = end.catch(() => undefined);
    return end;
  }

  /** Move units of the owner into the wallet. */
  async #lend(asset: Asset, units: bigint): Promise<void> {
    const { wallet, owner, contracts, sender, newId } = this.#options;
    const call = transferOf(contracts, { asset, units, from: owner.address, to: wallet });
    const outcome = await sender.send({ id: `lend:${newId()}`, purpose: 'lend', to: call.target, data: call.data });
    if (outcome.kind !== 'included') throw chainFault(`the wallet was not funded: ${outcome.kind}`, null);
  }

  async #takeBack(assets: readonly Asset[]): Promise<void> {
    for (const asset of assets) this.#left.add(asset);
    const spare = await Promise.all(
      [...this.#left].map(async (asset) => ({ asset, units: (await this.#balanceOf(asset)) - this.#needOf(asset) })),
    );
    const { wallet, owner, contracts, relayer } = this.#options;
    const calls = spare
      .filter(({ units }) => units > 0n)
      .map(({ asset, units }) =>
        transferOf(contracts, { asset, units, from: wallet, to: owner.address, isOfCaller: relayer !== null }),
      );
    if (relayer !== null && calls.length > 0) await relayer.execute(calls);
    else await Promise.all(calls.map((call) => this.#take(call)));
    this.#left.clear();
  }

  async #take({ target: to, data }: WalletCall): Promise<void> {
    const { sender, newId } = this.#options;
    const outcome = await sender.send({ id: `take:${newId()}`, purpose: 'take', to, data });
    if (outcome.kind !== 'included') throw chainFault(`nothing was taken from the wallet: ${outcome.kind}`, null);
  }
}

/** Return the units that an order may spend: of a purchase its money and the highest fee, rounded up. */
function unitsOf(order: OrderAmounts): bigint {
  if (assetOf(order) !== null) return order.makerAmount;
  return order.makerAmount + (order.makerAmount * highestFeeBps + 9_999n) / 10_000n;
}

interface AssetTransfer {
  readonly asset: Asset;
  readonly units: bigint;
  readonly from: Address;
  readonly to: Address;
  /** True where the account that the units leave is the caller. */
  readonly isOfCaller?: boolean;
}

/** Return the call that moves an asset. Money of another account moves by its allowance. */
function transferOf(contracts: WalletContracts, { asset, units, from, to, isOfCaller }: AssetTransfer): WalletCall {
  if (asset === null) {
    const data =
      isOfCaller === false
        ? encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [from, to, units] })
        : encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, units] });
    return { target: contracts.usdc, value: 0n, data };
  }
  const data = encodeFunctionData({
    abi: conditionalTokensAbi,
    functionName: 'safeTransferFrom',
    args: [from, to, asset, units, '0x'],
  });
  return { target: tokenContractOf(asset, contracts), value: 0n, data };
}
