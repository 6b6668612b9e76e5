import { Lev, type LevUser, type Market, type Position } from '@core/sdk';
import { VenueControl } from '@core/venue-sim/control';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { vi } from 'vitest';
import { accountOf, type StackFile } from './startStack.ts';

/** A side of a market that takes positions. */
export interface OpenSide {
  readonly market: Market;
  readonly side: 'yes' | 'no';
}

/** Longer than any test of a stack takes. */
const lastingMs = 3_600_000;
const lasts = ({ latest_enter_at: at }: Market): boolean => at === null || Date.parse(at) > Date.now() + lastingMs;

/** A user of the service with an account of the stack, as the client makes one. */
export function userOf(file: StackFile, address: string): LevUser {
  const partner = new Lev({ baseUrl: file.apiUrl, apiKey: file.partner.apiKey, chain: file.rpcUrl });
  return partner.asUser(() => partner.tokens.create({ wallet_address: address }));
}

/**
 * The sides that take positions of the markets that outlast the tests. Each price is held at even odds, where books are
 * deep: what the hour of the day has made of a price decides nothing.
 */
export async function openSides(file: StackFile): Promise<readonly OpenSide[]> {
  const partner = new Lev({ baseUrl: file.apiUrl, apiKey: file.partner.apiKey });
  const venue = new VenueControl(file.venueUrl);
  const listing = { category: 'crypto', expand: ['prices'], limit: 100 } as const;
  const pinned = new Set<string>();
  const markets = await vi.waitFor(
    async () => {
      const found: Market[] = [];
      for await (const market of partner.markets.list(listing)) {
        if (lasts(market)) found.push(market);
      }
      const fresh = found.map(({ ticker }) => ticker).filter((ticker) => !pinned.has(ticker));
      await venue.pin(fresh, '0.5');
      for (const ticker of fresh) pinned.add(ticker);
      const taking = found.filter(({ accepting_new_positions: isTaking }) => isTaking);
      if (taking.length < 4) throw new Error(`${taking.length} of ${found.length} lasting markets take positions yet`);
      return taking;
    },
    { timeout: 120_000, interval: 1_000 },
  );
  return markets.flatMap((market) =>
    (['yes', 'no'] as const)
      .filter((side) => market.sided_eligibility[side].accepting_new_positions)
      .map((side) => ({ market, side })),
  );
}

/** Opens a position without the console, as any program does; on the first side that gives one. */
export async function openBySdk(
  file: StackFile,
  name: string,
  sides: readonly OpenSide[],
): Promise<{ readonly position: Position; readonly taken: OpenSide }> {
  const account = accountOf(file, name);
  const user = userOf(file, account.address);
  const wallet = createWalletClient({ account: privateKeyToAccount(account.privateKey), transport: http(file.rpcUrl) });
  const refusals: unknown[] = [];
  for (const taken of sides) {
    const { market, side } = taken;
    try {
      const order = { ticker: market.ticker, side, leverage: '3', notionalUsd: '150', allowRevision: true };
      const quote = await user.quotes.create(order);
      return { position: await user.positions.open(quote, wallet), taken };
    } catch (refusal) {
      refusals.push(refusal);
    }
  }
  throw new AggregateError(refusals, 'no side gives a position');
}
