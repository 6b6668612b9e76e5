import { type CreatePositionFields, positionSeedOf } from '@core/vault';
import type { OpenedMarket } from './openedMarket.ts';

/** Twelve bytes that all promotions of one draft share. */
export const draftSeed = '0x0102030405060708090a0b0c';

/** A quote of alice's on YES: 50 USDC at 2x. */
export function aliceQuote({ driver, market }: OpenedMarket): Promise<CreatePositionFields> {
  return driver.quoteFields({
    user: driver.deployment.roles.alice,
    token: market.yes,
    positionSeed: positionSeedOf(draftSeed, 0),
    collateralUsdcUnits: 50_000_000n,
    leverageBps: 20_000n,
  });
}
