import { OrderSide } from '@core/vault';
import type { Address } from 'viem';
import type { MakerBalance, Settlement, SignedOrder } from '../settlement/settlement.ts';

const empty: MakerBalance = { balanceUnits: 0n, allowanceUnits: 0n };

const keyOf = (owner: Address, tokenId: bigint | null): string => `${owner.toLowerCase()}/${tokenId ?? 'cash'}`;

/** Cached balances of the order server: zero for an account until it requests an update. */
export class BalanceCache {
  readonly #settlement: Settlement;
  readonly #entries = new Map<string, MakerBalance>();

  constructor(settlement: Settlement) {
    this.#settlement = settlement;
  }

  /** @param tokenId Null for the collateral. */
  balanceOf(owner: Address, tokenId: bigint | null): MakerBalance {
    return this.#entries.get(keyOf(owner, tokenId)) ?? empty;
  }

  /** Refresh a balance from the settlement layer. */
  async update(owner: Address, tokenId: bigint | null): Promise<void> {
    this.#entries.set(keyOf(owner, tokenId), await this.#settlement.balanceOf(owner, tokenId));
  }

  /** Return the venue's refusal of an order that the cached balance does not cover; null when it does. */
  refusalOf(order: SignedOrder): string | null {
    const { maker, makerAmount } = order;
    const { balanceUnits, allowanceUnits } = this.balanceOf(
      maker,
      order.side === OrderSide.Sell ? order.tokenId : null,
    );
    if (balanceUnits < makerAmount) {
      return `not enough balance / allowance: the balance is not enough -> balance: ${balanceUnits}, order amount: ${makerAmount}`;
    }
    if (allowanceUnits < makerAmount) {
      return `not enough balance / allowance: the allowance is not enough -> allowance: ${allowanceUnits}, order amount: ${makerAmount}`;
    }
    return null;
  }
}
