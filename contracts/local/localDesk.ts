import { leverageBps, pricePips, rateBps, tokenUnits, usdcUnits } from '@core/pricing';
import {
  accountAddressOf,
  type CreatePositionFields,
  conditionalTokensAbi,
  hashVenueOrder,
  liquidityPoolAbi,
  OrderSide,
  orderRulesAbi,
  type PriceAttestation,
  type Purpose,
  positionKeyOf,
  QuoteSigner,
  SignatureType,
  SigningKey,
  signPriceAttestation,
  testUsdcAbi,
  toAttestationStruct,
  toCreateRequestStruct,
  toVenueOrderStruct,
  type UserLimits,
  type VenueOrder,
  vaultAbi,
  venueExchangeAbi,
} from '@core/vault';
import { type Address, encodeFunctionData, erc20Abi, type Hex, zeroHash } from 'viem';
import type { LocalAccount } from './localAccounts.ts';
import type { LocalDeployment } from './localDeployment.ts';
import { type LocalMarket, type LocalToken, openLocalMarket, reportLocalPayouts } from './localMarket.ts';
import { LocalRpc } from './localRpc.ts';

/** A position as it was created. */
export interface LocalPosition {
  readonly positionKey: Hex;
  readonly account: Address;
  readonly token: LocalToken;
}

/** What a user adds to a signed quote, in the contract's own numbers; everything left out is as loose as can be. */
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

const quoteLifetimeSeconds = 120n;
const orderLifetimeSeconds = 45n;
const maxAllowance = 2n ** 256n - 1n;

/**
 * Plays every part on the local chain (signers, keeper, venue operator, makers, oracle, users) with its real keys, so
 * that tests and scripts can walk a position through its life without the services. Amounts are the contract's own
 * bigints: USDC units, token units, pips.
 */
export class LocalDesk {
  readonly rpc: LocalRpc;
  readonly deployment: LocalDeployment;
  readonly #quoteSigner: QuoteSigner;
  readonly #priceSigner: SigningKey;
  #salt = 0n;

  constructor(parameters: { readonly rpcUrl: string; readonly deployment: LocalDeployment }) {
    this.deployment = parameters.deployment;
    this.rpc = new LocalRpc(parameters.rpcUrl, [
      ...vaultAbi,
      ...orderRulesAbi,
      ...liquidityPoolAbi,
      ...venueExchangeAbi,
      ...testUsdcAbi,
    ]);
    this.#quoteSigner = new QuoteSigner(this.deployment.roles.quoteSigner.privateKey);
    this.#priceSigner = new SigningKey(this.deployment.roles.priceSigner.privateKey);
  }

  // Markets.

  /** Prepares a condition of the local oracle and registers both of its outcomes with the vault. */
  openMarket(question: string): Promise<LocalMarket> {
    return openLocalMarket(this.rpc, this.deployment, question);
  }

  /** Turns USDC of an account into the same number of each token of a market, ready to be sold on the exchange. */
  async mintTokens(owner: LocalAccount, market: LocalMarket, units: bigint): Promise<void> {
    const { contracts } = this.deployment;
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

  /** Values of a quote, valid for two minutes; collateral × leverage must divide evenly. */
  async quoteFields(parameters: {
    readonly user: LocalAccount;
    readonly token: LocalToken;
    readonly positionSeed: Hex;
    readonly collateralUsdcUnits: bigint;
    readonly leverageBps: bigint;
  }): Promise<CreatePositionFields> {
    const { user, token, positionSeed, collateralUsdcUnits } = parameters;
    return {
      positionSeed,
      user: user.address,
      venueMarketId: token.conditionId,
      venueTokenId: token.tokenId,
      collateralUsdcUnits: usdcUnits(collateralUsdcUnits),
      leverageBps: leverageBps(parameters.leverageBps),
      notionalUsdcUnits: usdcUnits((collateralUsdcUnits * parameters.leverageBps) / 10_000n),
      originationFeeBps: rateBps(75n),
      lifetimeFeeAprBps: rateBps(1_000n),
      liquidationFeeBps: rateBps(100n),
      signatureExpiry: (await this.rpc.nowSeconds()) + quoteLifetimeSeconds,
      chainId: this.deployment.chainId,
      vault: this.deployment.contracts.vault,
    };
  }

  /** The quote signer's signature. */
  signQuote(fields: CreatePositionFields): Hex {
    return this.#quoteSigner.sign(fields).signature;
  }

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

  accountOf(positionKey: Hex): Address {
    const { vault, accountImplementation } = this.deployment.contracts;
    return accountAddressOf({ vault, accountImplementation, positionKey });
  }

  // Orders.

  /** An order of a position: whole amounts at one price. A buy gives USDC for tokens, a sale tokens for USDC. */
  orderOf(parameters: {
    readonly maker: Address;
    readonly token: LocalToken;
    readonly side: OrderSide;
    readonly tokenUnits: bigint;
    readonly usdcUnits: bigint;
    readonly isContract: boolean;
  }): VenueOrder {
    const isBuy = parameters.side === OrderSide.Buy;
    this.#salt += 1n;
    return {
      salt: this.#salt,
      maker: parameters.maker,
      signer: parameters.maker,
      tokenId: parameters.token.tokenId,
      makerAmount: isBuy ? parameters.usdcUnits : parameters.tokenUnits,
      takerAmount: isBuy ? parameters.tokenUnits : parameters.usdcUnits,
      side: parameters.side,
      signatureType: parameters.isContract ? SignatureType.Erc1271 : SignatureType.Eoa,
      timestamp: 0n,
      metadata: zeroHash,
      builder: zeroHash,
    };
  }

  /** An attestation observed now; limit and trigger as given, no venue fee unless said. */
  async attestation(parameters: {
    readonly token: LocalToken;
    readonly purpose: Purpose;
    readonly markPips: bigint;
    readonly limitPips: bigint;
    readonly triggerPips?: bigint;
    readonly venueFeeBps?: bigint;
    readonly exitBufferBps?: bigint;
  }): Promise<PriceAttestation> {
    return {
      marketId: parameters.token.conditionId,
      tokenId: parameters.token.tokenId,
      purpose: parameters.purpose,
      markPips: pricePips(parameters.markPips),
      limitPips: pricePips(parameters.limitPips),
      triggerPips: pricePips(parameters.triggerPips ?? 0n),
      venueFeeBps: rateBps(parameters.venueFeeBps ?? 0n),
      exitBufferBps: rateBps(parameters.exitBufferBps ?? 800n),
      observedAt: await this.rpc.nowSeconds(),
    };
  }

  /** The price signer's signature. */
  signAttestation(attestation: PriceAttestation): Hex {
    const { chainId, contracts } = this.deployment;
    return signPriceAttestation(this.#priceSigner, attestation, { chainId, vault: contracts.vault }).signature;
  }

  /**
   * The keeper's authorisation of an order, which then lives 45 seconds. The price signer's consent is made here unless
   * a signature is given.
   */
  async authorizeOrder(parameters: {
    readonly position: LocalPosition;
    readonly order: VenueOrder;
    readonly attestation: PriceAttestation;
    readonly signature?: Hex;
  }): Promise<void> {
    const { position, order, attestation } = parameters;
    const { roles } = this.deployment;
    const signature = parameters.signature ?? this.signAttestation(attestation);
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
          signature,
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
    const resting = this.orderOf({
      maker: maker.address,
      token: { conditionId: zeroHash, tokenId: order.tokenId },
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
          toVenueOrderStruct(order),
          [toVenueOrderStruct(resting, makerSignature)],
          order.makerAmount,
          order.takerAmount,
          [resting.makerAmount],
          takerFeeUsdcUnits,
          [0n],
        ],
      }),
    });
  }

  /** A maker's signature of its order (EIP-712). */
  signOrder(maker: LocalAccount, order: VenueOrder): Hex {
    const { chainId, contracts, venueDomain } = this.deployment;
    const hash = hashVenueOrder(order, { ...venueDomain, chainId, exchange: contracts.exchange });
    return new SigningKey(maker.privateKey).signHash(Buffer.from(hash.slice(2), 'hex'));
  }

  // The other verbs of the vault, by whoever may call them.

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

  // Reading and approving.

  async usdcOf(owner: Address): Promise<bigint> {
    const { usdc } = this.deployment.contracts;
    return this.rpc.client.readContract({ address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [owner] });
  }

  async tokensOf(owner: Address, token: LocalToken): Promise<bigint> {
    return this.rpc.client.readContract({
      address: this.deployment.contracts.conditionalTokens,
      abi: conditionalTokensAbi,
      functionName: 'balanceOf',
      args: [owner, token.tokenId],
    });
  }

  async positionOf(position: LocalPosition) {
    return this.rpc.client.readContract({
      address: this.deployment.contracts.vault,
      abi: vaultAbi,
      functionName: 'positionOf',
      args: [position.positionKey],
    });
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
