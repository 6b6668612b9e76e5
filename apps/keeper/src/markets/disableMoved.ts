import { marketProtocols, type VenueMarket } from '@core/market';
import type { Clock } from '@core/runtime';
import type { DueMarket, MarketStore } from '@core/store';
import { isManagedToken } from '@core/vault';
import type { Logger } from 'pino';
import type { IsolatedItems } from '../runner/isolatedItems.ts';
import type { UnfinishedMarkets } from './unfinishedMarkets.ts';

export interface DisableMovedOptions {
  readonly markets: Pick<MarketStore, 'setDisabled'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Return true when the tokens of a listed market are not of the ledger that its record names now. */
const hasMoved = ({ yesTokenId }: DueMarket, version: VenueMarket['version']): boolean =>
  isManagedToken(BigInt(yesTokenId)) !== (marketProtocols[version].ledger === 'position_manager');

/**
 * Disable listed markets whose record now names another ledger: their tokens and exchange are not those of the stored
 * record. An operator can enable one only after it moved back.
 */
export async function disableMoved(
  { markets, clock, logger }: DisableMovedOptions,
  state: {
    readonly records: readonly VenueMarket[];
    readonly unfinished: UnfinishedMarkets;
    readonly isolated: { readonly moving: IsolatedItems };
  },
): Promise<void> {
  const movedMarkets = state.records.flatMap(({ ticker, version }) => {
    const market = state.unfinished.of(ticker);
    const isMoved = market !== null && market.disabledReason === null && hasMoved(market, version);
    return isMoved ? [{ market, version }] : [];
  });
  await state.isolated.moving.serve(
    movedMarkets,
    ({ market }) => market.id,
    async ({ market: { id, ticker }, version }) => {
      await markets.setDisabled(id, `the venue moved this market to contract version ${version}`, clock.nowMs());
      logger.error({ ticker, version }, 'market moved to another contract version: disabled');
      return true;
    },
  );
}
