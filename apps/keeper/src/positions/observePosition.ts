import { minimumSaleLimitOf, type PolicyConfig, saleMarkOf } from '@core/policy';
import { isBookNeeded, type LiveBook, type Position, type PositionObservation } from '@core/position';
import { type PricePips, type UsdcUnits, usdcUnits } from '@core/pricing';
import type { MarketRecord } from '@core/store';
import { type ChainPosition, type PositionContracts, readPosition } from '@core/vault';
import { type Address, erc20Abi, type Hex, type PublicClient } from 'viem';
import { chainFault } from '../transactions/chainFault.ts';
import type { Intent, Intents } from '../transactions/intents.ts';
import { observationOf, type PositionReadings } from './observationOf.ts';
import type { bookReader } from './readBook.ts';
import { type DebtFeed, unwindAdviceOf } from './unwindAdvice.ts';
import type { UnwindRefusals } from './unwindRefusals.ts';

/** What one look at a position brings: all that deciding and acting on it needs. */
export interface ObservedPosition extends PositionReadings {
  readonly observation: PositionObservation;
}

/**
 * Looks at chain, venue (through the followed intents), intents unless they were read a moment before, and the book
 * when an order is due. Null when the node that answered is behind a block in which we have already acted: acting on
 * its answer would repeat what is done.
 */
export type ObservePosition = (
  record: Position,
  market: MarketRecord,
  known: readonly Intent[] | null,
) => Promise<ObservedPosition | null>;

export interface ObserverOptions {
  readonly chain: {
    readonly client: PublicClient;
    readonly contracts: PositionContracts & { readonly usdc: Address };
  };
  /** Reads the book of a token now. */
  readonly readBook: ReturnType<typeof bookReader>;
  readonly intents: Pick<Intents, 'recent'>;
  readonly feed: DebtFeed & { markOf(tokenId: string): PricePips | null };
  readonly refusals: Pick<UnwindRefusals, 'of'>;
  readonly policy: PolicyConfig;
}

export function positionObserver(options: ObserverOptions): ObservePosition {
  const { chain, readBook, intents: store, feed, refusals, policy } = options;
  return async (record, market, known) => {
    const position = await readPosition(chain.client, {
      contracts: chain.contracts,
      positionKey: record.positionKey as Hex,
      known: {
        account: record.accountAddress as Address,
        tokenId: BigInt(record.venueTokenId),
        conditionId: record.venueMarketId as Hex,
      },
    }).catch((cause: unknown) => {
      throw chainFault(`${record.positionKey} cannot be read`, cause);
    });
    const accountUsdcUnits = await cashOf(chain, record, position);
    const intents = known ?? (await store.recent(record.positionKey));
    if (intents.some(({ blockNumber }) => blockNumber !== null && blockNumber > position.blockNumber)) {
      return null;
    }
    const seen = { record, market, chain: position, intents, accountUsdcUnits };
    const readings = { ...seen, markPricePips: feed.markOf(record.venueTokenId) };
    const advice = unwindAdviceOf(readings, { feed, policy });
    const observation = observationOf(readings, { advice, refusal: refusals.of(record.positionKey) });
    const isNeeded = isBookNeeded(observation, policy.execution);
    const book = isNeeded ? await bookOf(readBook, record.venueTokenId, { feed, policy }) : null;
    return { ...readings, observation: { ...observation, book } };
  };
}

/** Cash of a position's account, of which only an opening takes notice. */
async function cashOf(
  { client, contracts }: ObserverOptions['chain'],
  { positionKey, accountAddress }: Position,
  { state, blockNumber }: ChainPosition,
): Promise<UsdcUnits> {
  if (state !== 'pending') return usdcUnits(0n);
  const balance = { address: contracts.usdc, abi: erc20Abi, functionName: 'balanceOf', blockNumber } as const;
  try {
    return usdcUnits(await client.readContract({ ...balance, args: [accountAddress as Address] }));
  } catch (cause) {
    throw chainFault(`the cash of ${positionKey} cannot be read`, cause);
  }
}

async function bookOf(
  readBook: ObserverOptions['readBook'],
  tokenId: string,
  { feed, policy }: Pick<ObserverOptions, 'feed' | 'policy'>,
): Promise<LiveBook | null> {
  const read = await readBook(tokenId);
  if (read === null) {
    return null;
  }
  const { book, tickPricePips } = read;
  // Just read, so it has no age; where it has no asks, the last mark stands in for a mid.
  const side = { book, bookAgeMs: 0, lastMidPricePips: feed.markOf(tokenId) };
  const mark = saleMarkOf(side, { tickPricePips, config: policy });
  return {
    bids: book.bids,
    asks: book.asks,
    tickPricePips,
    saleFloorPricePips: mark === null ? null : minimumSaleLimitOf(mark, policy.model.slipBps),
  };
}
