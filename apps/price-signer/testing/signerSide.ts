import { type AttestationSource, httpAttestationSource } from '@core/attestation';
import type { LocalDriver, LocalMarket } from '@core/contracts/local';
import type { PolicyConfig } from '@core/policy';
import { SigningKey } from '@core/vault';
import { pino } from 'pino';
import type { Hex } from 'viem';
import { type PriceSigner, startPriceSigner } from '../src/startPriceSigner.ts';
import { type BookVenue, startBookVenue, type VenueBook } from './bookVenue.ts';

/** A price signer with its own key, its own secret and its own venue. */
export interface SignerSide {
  readonly venue: BookVenue;
  readonly signer: PriceSigner;
  readonly source: AttestationSource;
  readonly secret: string;
}

/** Start a price signer of the local chain, whose venue shows a book of one market. */
export async function startSide(
  place: { readonly rpcUrl: string; readonly driver: LocalDriver; readonly market: LocalMarket },
  own: {
    readonly privateKey: Hex;
    readonly secret: string;
    readonly book: VenueBook;
    readonly config?: PolicyConfig;
    readonly isEndingGrants?: boolean;
    readonly fallbackRpcUrls?: readonly string[];
  },
): Promise<SignerSide> {
  const { rpcUrl, driver, market } = place;
  const { privateKey, secret, book, ...options } = own;
  const facts = {
    conditionId: market.yes.conditionId,
    questionId: market.questionId,
    yesTokenId: market.yes.tokenId.toString(),
    noTokenId: market.no.tokenId.toString(),
  };
  const venue = await startBookVenue(facts, book);
  const { contracts, chainId } = driver.deployment;
  const signer = await startPriceSigner({
    port: 0,
    bearerSecret: secret,
    signer: new SigningKey(privateKey),
    rpcUrl,
    chainId,
    vault: contracts.vault,
    venueUrl: venue.url,
    marketSocketUrl: venue.url.replace('http', 'ws'),
    logger: pino({ level: 'silent' }),
    watchTiming: { sweepIntervalMs: 50, confirmAfterMs: 200, minRetryMs: 50 },
    ...options,
  });
  return { venue, signer, source: httpAttestationSource({ url: signer.url, secret }), secret };
}

/** Stop a price signer and its venue. */
export async function closeSide({ signer, venue }: SignerSide): Promise<void> {
  await signer.close();
  await venue.close();
}
