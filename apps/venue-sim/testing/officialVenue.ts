import { realVenueProfile } from '@core/venue';
import { createWalletClient, type Hex, http, type WalletClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { polygon } from 'viem/chains';
import { startVenueSim, type VenueSim } from '../src/startVenueSim.ts';
import type { RunningMarket } from '../src/venue/marketRegistry.ts';
import { listPlainMarket } from './plainMarket.ts';

/** Simulator with the names of the real venue and two markets at even odds. */
export interface OfficialVenue {
  readonly sim: VenueSim;
  readonly market: RunningMarket;
  readonly tokenId: string;
  readonly otherTokenId: string;
  readonly conditionId: string;
}

export async function startOfficialVenue(seed: string): Promise<OfficialVenue> {
  const sim = await startVenueSim({
    seed,
    profile: realVenueProfile,
    settlementTimes: { retryMs: 50, confirmMs: 50 },
  });
  const market = await listPlainMarket(sim.venue);
  const { tokenIds, conditionId } = market.market.definition;
  return { sim, market, tokenId: String(tokenIds[0]), otherTokenId: String(tokenIds[1]), conditionId };
}

/** Return the wallet of a key, which signs without a chain. */
export const walletOf = (privateKey: Hex): WalletClient =>
  createWalletClient({
    account: privateKeyToAccount(privateKey),
    chain: polygon,
    transport: http('http://127.0.0.1:1'),
  });
