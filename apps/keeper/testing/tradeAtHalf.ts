import type { LocalMarket, LocalPosition } from '@core/contracts/local';
import { OrderSide, Purpose, positionSeedOf } from '@core/vault';
import { toHex } from 'viem';
import type { TestConnections } from './startTestConnections.ts';

/** Tokens of a position that was opened at half a dollar. */
export const tradedTokenUnits = 200_000_000n;

function firstMaker({ deployment }: Pick<TestConnections, 'deployment'>) {
  const [first] = deployment.roles.makers;
  if (first === undefined) throw new Error('the deployment has no maker');
  return first;
}

/** A market that no one else trades, and a maker with tokens of it. */
export async function openTradedMarket(world: TestConnections, question: string): Promise<LocalMarket> {
  const market = await world.driver.openMarket(question);
  await world.driver.mintTokens(firstMaker(world), market, 10_000_000_000n);
  return market;
}

/** A new position, always the same one for a seed. */
export async function createTraded(
  { driver, deployment }: TestConnections,
  market: LocalMarket,
  seed: number,
): Promise<LocalPosition> {
  const { alice } = deployment.roles;
  const fields = await driver.quoteFields({
    user: alice,
    token: market.yes,
    positionSeed: positionSeedOf(toHex(seed, { size: 12 }), 0),
    collateralUsdcUnits: 50_000_000n,
    leverageBps: 20_000n,
  });
  const signature = driver.signQuote(fields);
  return driver.createPosition({ sender: alice, fields, signature, limits: { venueFeeUsdcUnits: 5_000_000n } });
}

interface TradeAtHalf {
  readonly position: LocalPosition;
  readonly purpose: Purpose;
  readonly beforeEnd?: () => Promise<unknown>;
}

/**
 * Carry one order at half a dollar from its authorisation to its end.
 * @param trade.beforeEnd Runs when the exchange has filled the order and the vault has not ended it.
 */
export async function tradeAtHalf(
  world: TestConnections,
  market: LocalMarket,
  { position, purpose, beforeEnd = async () => undefined }: TradeAtHalf,
): Promise<void> {
  const { driver } = world;
  const order = driver.orderOf({
    maker: position.account,
    token: market.yes,
    side: purpose === Purpose.Open ? OrderSide.Buy : OrderSide.Sell,
    tokenUnits: tradedTokenUnits,
    usdcUnits: tradedTokenUnits / 2n,
    isContract: true,
  });
  const attestation = await driver.attestation({ token: market.yes, purpose, markPips: 5_000n, limitPips: 5_000n });
  await driver.authorizeOrder({ position, order, attestation });
  await driver.matchWithMaker(order, firstMaker(world));
  await beforeEnd();
  await driver.finalize(position);
}
