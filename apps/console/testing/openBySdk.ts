import { Lev, type LevUser, type Market, type Position } from '@core/sdk';
import { VenueControl } from '@core/venue-sim/control';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { vi } from 'vitest';
import { accountOf, type StackFile } from './startStack.ts';

/** Side of a market that accepts new positions. */
export interface OpenSide {
  readonly market: Market;
  readonly side: 'yes' | 'no';
}

/** Minimum remaining life of a market: nearer to its end less leverage is offered. */
const lastingMs = 4 * 3_600_000;

/** Return an SDK user with an account of the stack. */
export function userOf(file: StackFile, address: string): LevUser {
  const partner = new Lev({ baseUrl: file.apiUrl, apiKey: file.partner.apiKey, chain: file.rpcUrl });
  return partner.asUser(() => partner.tokens.create({ wallet_address: address }));
}

/** Effects of the files of a run on the markets of a stack, by tickers. */
interface MarketUses {
  readonly pinned: Set<string>;
  /** Number of files that have used a market. */
  readonly counts: Map<string, number>;
}

const usesByStack = new Map<string, MarketUses>();

/** Return the uses of a stack's markets. A stack has one partner key. */
function usesOf({ partner: { apiKey } }: StackFile): MarketUses {
  const uses = usesByStack.get(apiKey) ?? { pinned: new Set(), counts: new Map() };
  usesByStack.set(apiKey, uses);
  return uses;
}

function noteUse(file: StackFile, { ticker }: Market): void {
  const { counts } = usesOf(file);
  counts.set(ticker, (counts.get(ticker) ?? 0) + 1);
}

/**
 * Return the sides that accept new positions, of at least `marketCount` markets that outlast the tests: those that the
 * fewest files have used first, then those with the highest leverage, which is lower after a jump. Each price is pinned
 * once at even odds, where books are deep, so that the price path of the simulator has no effect.
 */
export async function openSides(file: StackFile, marketCount = 4): Promise<readonly OpenSide[]> {
  const partner = new Lev({ baseUrl: file.apiUrl, apiKey: file.partner.apiKey });
  const venue = new VenueControl(file.venueUrl);
  const listing = { category: 'crypto', expand: ['prices'], limit: 100 } as const;
  const { pinned, counts } = usesOf(file);
  const endMs = (await venue.nowMs()) + lastingMs;
  const lasts = ({ latest_enter_at: at }: Market): boolean => at === null || Date.parse(at) > endMs;
  const markets = await vi.waitFor(
    async () => {
      const candidates: Market[] = [];
      for await (const market of partner.markets.list(listing)) {
        if (lasts(market)) candidates.push(market);
      }
      const fresh = candidates.map(({ ticker }) => ticker).filter((ticker) => !pinned.has(ticker));
      await venue.pin(fresh, '0.5');
      for (const ticker of fresh) pinned.add(ticker);
      const openMarkets = candidates.filter(({ accepting_new_positions: isOpen }) => isOpen);
      if (openMarkets.length < marketCount)
        throw new Error(`${openMarkets.length} of ${candidates.length} lasting markets accept positions`);
      return openMarkets;
    },
    { timeout: 120_000, interval: 1_000 },
  );
  const countOf = ({ market: { ticker } }: OpenSide): number => counts.get(ticker) ?? 0;
  const leverageOf = ({ market, side }: OpenSide): number =>
    market.leverage.max_market_leverage_per_notional[side].at500_usd_bps;
  return markets
    .flatMap((market) => (['yes', 'no'] as const).map((side) => ({ market, side })))
    .filter(({ market, side }) => market.sided_eligibility[side].accepting_new_positions)
    .toSorted((left, right) => countOf(left) - countOf(right) || leverageOf(right) - leverageOf(left));
}

/** Return an open side of the market that the fewest files have used, and note the use. */
export async function openSideOf(
  file: StackFile,
  sideNames: readonly OpenSide['side'][] = ['yes', 'no'],
): Promise<OpenSide> {
  const sides = await openSides(file, 2);
  const openSide = sides.find(({ side }) => sideNames.includes(side));
  if (openSide === undefined) throw new Error(`no market accepts positions on ${sideNames.join(' or ')}`);
  noteUse(file, openSide.market);
  return openSide;
}

/** Open a position with the SDK, on the first side that accepts it. */
export async function openBySdk(
  file: StackFile,
  name: string,
  sides: readonly OpenSide[],
): Promise<{ readonly position: Position; readonly openSide: OpenSide }> {
  const account = accountOf(file, name);
  const user = userOf(file, account.address);
  const wallet = createWalletClient({ account: privateKeyToAccount(account.privateKey), transport: http(file.rpcUrl) });
  const refusals: unknown[] = [];
  for (const openSide of sides) {
    const { market, side } = openSide;
    try {
      const order = { ticker: market.ticker, side, leverage: '3', notionalUsd: '150', allowRevision: true };
      const quote = await user.quotes.create(order);
      const position = await user.positions.open(quote, wallet);
      noteUse(file, market);
      return { position, openSide };
    } catch (refusal) {
      refusals.push(refusal);
    }
  }
  throw new AggregateError(refusals, 'no side accepts a position');
}
