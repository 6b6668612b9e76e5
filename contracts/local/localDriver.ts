import { pricePips, rateBps, tokenUnits, usdcUnits } from '@core/pricing';
import {
  accountSignature,
  type CreatePositionFields,
  conditionalTokensAbi,
  isManagedToken,
  OrderSide,
  type PriceAttestation,
  positionKeyOf,
  positionRouterAbi,
  toAttestationStruct,
  toCreateRequestStruct,
  toVenueOrderStruct,
  type UserLimits,
  type VenueOrder,
  vaultAbi,
  venueExchangeAbi,
} from '@core/vault';
import { type Address, encodeFunctionData, erc20Abi, type Hex, slice, zeroHash } from 'viem';
import type { LocalAccount } from './localAccounts.ts';
import { type LocalMarket, openLocalMarket, reportLocalPayouts } from './localMarket.ts';
import { LocalSigner } from './localSigner.ts';
import type { LocalPosition } from './localView.ts';

/** Limits that a user adds to a signed quote, in the contract's own numbers; an omitted limit binds nothing. */
export interface LocalLimits {
  readonly venueFeeUsdcUnits?: bigint;
  readonly minPositionTokenUnits?: bigint;
  readonly maxLiquidationPricePips?: number;
  readonly minFillBps?: number;
}

function userLimitsOf(limits: LocalLimits): UserLimits {
  return {
    venueFeeUsdcUnits: usdcUnits(limits.venueFeeUsdcUnits ?? 0n),
    minPositionTokenUnits: tokenUnits(limits.minPositionTokenUnits ?? 0n),
    maxLiquidationPricePips: pricePips(BigInt(limits.maxLiquidationPricePips ?? 10_000)),
    minFillBps: rateBps(BigInt(limits.minFillBps ?? 10_000)),
  };
}

const orderLifetimeSeconds = 45n;
const maxAllowance = 2n ** 256n - 1n;

/**
 * Plays every part on the local chain (signers, keeper, venue operator, makers, oracle, users) with its real keys, so
 * that tests and scripts can walk a position through its life without the services. Amounts are the contract's own
 * bigints: USDC units, token units, pips.
 */
export class LocalDriver extends LocalSigner {
  /** Condition of each token of the markets opened here. */
  readonly #conditions = new Map<bigint, Hex>();

  // Markets.

  /** Prepares a condition of the local oracle and registers both of its outcomes with the vault. */
  async openMarket(question: string): Promise<LocalMarket> {
    const market = await openLocalMarket(this.rpc, this.deployment, question);
    for (const { tokenId, conditionId } of [market.yes, market.no]) this.#conditions.set(tokenId, conditionId);
    return market;
  }

  /**
   * Turns USDC of an account into the same number of each token of a market. Those of ConditionalTokens can be sold on
   * the exchange at once.
   */
  async mintTokens(owner: LocalAccount, market: LocalMarket, units: bigint): Promise<void> {
    const { contracts } = this.deployment;
    if (isManagedToken(market.yes.tokenId)) {
      const { positionRouter } = contracts;
      await this.approveUsdc(owner, positionRouter);
      const args = [slice(market.yes.conditionId, 0, 31), units] as const;
      const data = encodeFunctionData({ abi: positionRouterAbi, functionName: 'split', args });
      await this.rpc.send(owner, { to: positionRouter, data });
      return;
    }
    await this.approveUsdc(owner, contracts.conditionalTokens);
    await this.rpc.send(owner, {
      to: contracts.conditionalTokens,
      data: encodeFunctionData({
        abi: conditionalTokensAbi,
        functionName: 'splitPosition',
        args: [contracts.usdc, zeroHash, market.yes.conditionId, [1n, 2n], units],
      }),
    });
    await this.rpc.send(owner, {
      to: contracts.conditionalTokens,
      data: encodeFunctionData({
        abi: conditionalTokensAbi,
        functionName: 'setApprovalForAll',
        args: [contracts.exchange, true],
      }),
    });
    await this.approveUsdc(owner, contracts.exchange);
  }

  /** The oracle's word: numerators for YES and NO, such as [1, 0], or [1, 1] for a void market. */
  reportPayouts(market: LocalMarket, payouts: readonly [bigint, bigint]): Promise<void> {
    return reportLocalPayouts(this.rpc, this.deployment, { market, payouts });
  }

  // Quotes and positions.

  /** Submits a quote as `sender`; approves the vault first. */
  async createPosition(parameters: {
    readonly sender: LocalAccount;
    readonly fields: CreatePositionFields;
    readonly signature: Hex;
    readonly limits?: LocalLimits;
  }): Promise<LocalPosition> {
    const { sender, fields, signature } = parameters;
    await this.approveUsdc(sender, this.deployment.contracts.vault);
    const request = toCreateRequestStruct(fields, userLimitsOf(parameters.limits ?? {}));
    await this.#callVault(
      sender,
      encodeFunctionData({ abi: vaultAbi, functionName: 'createPosition', args: [request, signature] }),
    );
    const positionKey = positionKeyOf({ ...fields, user: sender.address });
    return {
      positionKey,
      account: this.accountOf(positionKey),
      token: { conditionId: fields.venueMarketId, tokenId: fields.venueTokenId },
    };
  }

  // Orders.

  /**
   * The keeper's authorisation of an order, which then lives 45 seconds. The consent of both price signers is made
   * here, or that of the second one alone where the first one's signature is given.
   */
  async authorizeOrder(parameters: {
    readonly position: LocalPosition;
    readonly order: VenueOrder;
    readonly attestation: PriceAttestation;
    readonly signature?: Hex;
  }): Promise<void> {
    const { position, order, attestation } = parameters;
    const { roles } = this.deployment;
    const signatures = this.signAttestation(attestation, parameters.signature);
    const validUntil = (await this.rpc.nowSeconds()) + orderLifetimeSeconds;
    await this.#callVault(
      roles.keeper,
      encodeFunctionData({
        abi: vaultAbi,
        functionName: 'authorizeOrder',
        args: [
          position.positionKey,
          attestation.purpose,
          toVenueOrderStruct(order),
          validUntil,
          toAttestationStruct(attestation),
          signatures,
        ],
      }),
    );
  }

  /**
   * The venue's operator fills an order wholly against one resting order of a maker at the same price, charging the
   * taker a fee in USDC.
   */
  async matchWithMaker(order: VenueOrder, maker: LocalAccount, takerFeeUsdcUnits = 0n): Promise<void> {
    const { contracts, roles } = this.deployment;
    const conditionId = this.#conditions.get(order.tokenId);
    if (conditionId === undefined) throw new Error(`${order.tokenId} is a token of no market opened here`);
    const resting = this.orderOf({
      maker: maker.address,
      token: { conditionId, tokenId: order.tokenId },
      side: order.side === OrderSide.Buy ? OrderSide.Sell : OrderSide.Buy,
      tokenUnits: order.side === OrderSide.Buy ? order.takerAmount : order.makerAmount,
      usdcUnits: order.side === OrderSide.Buy ? order.makerAmount : order.takerAmount,
      isContract: false,
    });
    const makerSignature = this.signOrder(maker, resting);
    await this.rpc.send(roles.venueOperator, {
      to: contracts.exchange,
      data: encodeFunctionData({
        abi: venueExchangeAbi,
        functionName: 'matchOrders',
        args: [
          conditionId,
          toVenueOrderStruct(order, accountSignature),
          [toVenueOrderStruct(resting, makerSignature)],
          order.makerAmount,
          [resting.makerAmount],
          takerFeeUsdcUnits,
          [0n],
        ],
      }),
    });
  }

  // The other verbs of the vault, by any account that may call them.

  finalize(position: LocalPosition, sender: LocalAccount = this.deployment.roles.keeper): Promise<void> {
    return this.#callKeyed(sender, 'finalize', position);
  }

  settle(position: LocalPosition, sender: LocalAccount = this.deployment.roles.keeper): Promise<void> {
    return this.#callKeyed(sender, 'settle', position);
  }

  claim(position: LocalPosition, sender: LocalAccount = this.deployment.roles.keeper): Promise<void> {
    return this.#callKeyed(sender, 'claim', position);
  }

  cancelPosition(position: LocalPosition, sender: LocalAccount): Promise<void> {
    return this.#callKeyed(sender, 'cancelPosition', position);
  }

  async requestClose(parameters: {
    readonly position: LocalPosition;
    readonly sender: LocalAccount;
    readonly tokenUnits: bigint;
    readonly minPricePips?: bigint;
  }): Promise<void> {
    const { position, sender, tokenUnits, minPricePips = 0n } = parameters;
    const args = [position.positionKey, tokenUnits, minPricePips] as const;
    await this.#callVault(sender, encodeFunctionData({ abi: vaultAbi, functionName: 'requestClose', args }));
  }

  /** Lets a contract take any amount of an account's USDC, unless it may already. */
  async approveUsdc(owner: LocalAccount, spender: Address): Promise<void> {
    const { usdc } = this.deployment.contracts;
    const allowed = await this.rpc.client.readContract({
      address: usdc,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [owner.address, spender],
    });
    if (allowed > maxAllowance / 2n) return;
    await this.rpc.send(owner, {
      to: usdc,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, maxAllowance] }),
    });
  }

  async #callKeyed(
    sender: LocalAccount,
    functionName: 'finalize' | 'settle' | 'claim' | 'cancelPosition',
    position: LocalPosition,
  ): Promise<void> {
    await this.#callVault(sender, encodeFunctionData({ abi: vaultAbi, functionName, args: [position.positionKey] }));
  }

  async #callVault(sender: LocalAccount, data: Hex): Promise<void> {
    await this.rpc.send(sender, { to: this.deployment.contracts.vault, data });
  }
}
