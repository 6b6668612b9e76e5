import { leverageBps, pricePips, rateBps, usdcUnits } from '@core/pricing';
import {
  attestationSignaturesOf,
  type CreatePositionFields,
  createPositionDigest,
  hashPriceAttestation,
  hashVenueOrder,
  OrderSide,
  type PriceAttestation,
  type Purpose,
  SignatureType,
  SigningKey,
  type VenueOrder,
} from '@core/vault';
import { type Address, type Hex, hashMessage, hexToBytes, zeroHash } from 'viem';
import type { LocalAccount } from './localAccounts.ts';
import type { LocalDeployment } from './localDeployment.ts';
import type { LocalToken } from './localMarket.ts';
import { LocalView } from './localView.ts';

const quoteLifetimeSeconds = 120n;

/** Makes what the local roles sign (quotes, orders, attestations) and signs it with their keys. */
export class LocalSigner extends LocalView {
  readonly #quoteKey: SigningKey;
  readonly #priceSigners: readonly [SigningKey, SigningKey];
  #salt = 0n;

  constructor(parameters: { readonly rpcUrl: string; readonly deployment: LocalDeployment }) {
    super(parameters);
    this.#quoteKey = new SigningKey(this.deployment.roles.quoteSigner.privateKey);
    const { priceSigner, secondPriceSigner } = this.deployment.roles;
    this.#priceSigners = [new SigningKey(priceSigner.privateKey), new SigningKey(secondPriceSigner.privateKey)];
  }

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
    return signedHash(this.#quoteKey, hashMessage({ raw: createPositionDigest(fields) }));
  }

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

  /** The signatures of both price signers, as the vault takes them; the first one's own where it is given. */
  signAttestation(attestation: PriceAttestation, signature?: Hex): Hex {
    const { chainId, contracts } = this.deployment;
    const domain = { chainId, vault: contracts.vault };
    const hash = hashPriceAttestation(attestation, domain);
    const [first, second] = this.#priceSigners;
    return attestationSignaturesOf([
      { signer: first.address, signature: signature ?? signedHash(first, hash) },
      { signer: second.address, signature: signedHash(second, hash) },
    ]);
  }

  /** A maker's signature of its order (EIP-712). */
  signOrder(maker: LocalAccount, order: VenueOrder): Hex {
    const { chainId, contracts, venueDomain } = this.deployment;
    const hash = hashVenueOrder(order, { ...venueDomain, chainId, exchange: contracts.exchange });
    return signedHash(new SigningKey(maker.privateKey), hash);
  }
}

const signedHash = (key: SigningKey, hash: Hex): Hex => key.signHash(hexToBytes(hash));
