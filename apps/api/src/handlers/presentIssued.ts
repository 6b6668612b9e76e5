import type { MarketRecord } from '@core/store';
import { positionSeedToDecimal } from '@core/vault';
import type { QuoteWire } from '@core/wire';
import type { Hex } from 'viem';
import type { IssuedQuote } from '../effects/issueQuote.ts';
import { presentQuote } from '../present/presentQuote.ts';
import { wireIdOf } from '../present/wireId.ts';
import type { Service } from '../service.ts';

/** The wire form of an issued quote. */
export function presentIssued(
  { config }: Service,
  { record, signature }: IssuedQuote,
  shown: { readonly market: MarketRecord; readonly walletAddress: string; readonly withMaxGain: boolean },
): QuoteWire {
  const { market, walletAddress, withMaxGain } = shown;
  const subject = {
    walletAddress,
    marketTicker: market.ticker,
    venueMarketId: market.venueMarketId,
    vault: config.contracts.vault,
    withMaxGain,
  };
  return presentQuote(record.figures, subject, {
    id: wireIdOf(record.id, config.idNamespace),
    positionKey: record.positionKey,
    positionSeed: record.positionSeed,
    positionSeedDecimal: positionSeedToDecimal(record.positionSeed as Hex),
    signature,
    chainId: config.chainId,
    signatureExpirySeconds: record.signatureExpirySeconds,
  });
}
