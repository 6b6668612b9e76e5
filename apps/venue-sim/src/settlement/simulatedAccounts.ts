import { hashVenueOrder, OrderSide, SignatureType, SigningKey, type VenueDomain } from '@core/vault';
import { type Address, type Hex, hexToBytes, zeroHash } from 'viem';
import type { Side } from '../matching/bookOrder.ts';
import { cashOf } from '../units/decimals.ts';
import type { SignedOrder } from './settlement.ts';

export interface SimulatedAccount {
  readonly role: 'maker' | 'taker';
  readonly address: Address;
  readonly privateKey: Hex;
}

/** Intended trade of a simulated account. */
export interface SimulatedIntent {
  readonly maker: Address;
  readonly tokenId: bigint;
  readonly side: Side;
  readonly pricePips: bigint;
  readonly tokenUnits: bigint;
  readonly atMs: number;
}

/** Simulated makers and takers. Their keys sign orders only for matches with outside accounts. */
export class SimulatedAccounts {
  readonly accounts: readonly SimulatedAccount[];
  readonly #keys: ReadonlyMap<Address, SigningKey>;
  readonly #domain: VenueDomain;
  #nextSalt: bigint;

  constructor(parameters: {
    readonly makerKeys: readonly Hex[];
    readonly takerKeys: readonly Hex[];
    readonly domain: VenueDomain;
    readonly startMs: number;
  }) {
    const accountOf = (privateKey: Hex, role: SimulatedAccount['role']) => {
      const key = new SigningKey(privateKey);
      return { key, account: { role, address: key.address, privateKey } };
    };
    const all = [
      ...parameters.makerKeys.map((key) => accountOf(key, 'maker')),
      ...parameters.takerKeys.map((key) => accountOf(key, 'taker')),
    ];
    this.accounts = all.map(({ account }) => account);
    this.#keys = new Map(all.map(({ key }) => [key.address, key]));
    this.#domain = parameters.domain;
    // Salts continue after a restart on the same chain, so that no order hash is used twice.
    this.#nextSalt = BigInt(parameters.startMs) * 1_000_000n;
  }

  addressOf(role: SimulatedAccount['role'], index: number): Address {
    const matching = this.accounts.filter((account) => account.role === role);
    const chosen = (matching.length > 0 ? matching : this.accounts)[index % Math.max(1, matching.length)];
    if (chosen === undefined) throw new RangeError('the simulator has no accounts');
    return chosen.address;
  }

  owns(address: string): boolean {
    return this.accounts.some((account) => account.address === address);
  }

  /** Build and sign an order of exactly the intended size at exactly the intended price. */
  signOrder(intent: SimulatedIntent): { readonly order: SignedOrder; readonly id: Hex } {
    const key = this.#keys.get(intent.maker);
    if (key === undefined) throw new RangeError(`no simulated account ${intent.maker}`);
    this.#nextSalt += 1n;
    const usdcUnits = cashOf(intent.tokenUnits, intent.pricePips);
    const order = {
      salt: this.#nextSalt,
      maker: intent.maker,
      signer: intent.maker,
      tokenId: intent.tokenId,
      makerAmount: intent.side === 'BUY' ? usdcUnits : intent.tokenUnits,
      takerAmount: intent.side === 'BUY' ? intent.tokenUnits : usdcUnits,
      side: intent.side === 'BUY' ? OrderSide.Buy : OrderSide.Sell,
      signatureType: SignatureType.Eoa,
      timestamp: BigInt(intent.atMs),
      metadata: zeroHash,
      builder: zeroHash,
    };
    const id = hashVenueOrder(order, this.#domain);
    return { order: { ...order, signature: key.signHash(hexToBytes(id)) }, id };
  }
}
