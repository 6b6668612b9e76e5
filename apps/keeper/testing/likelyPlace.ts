import { nearMinutes } from './standStill.ts';
import type { HeldPosition, TestStack } from './startTestStack.ts';

/** A market of a stack with `likelyWhereNear` that ends within two hours, and its likelier side. */
export async function likelyPlace(stack: TestStack): Promise<Omit<HeldPosition, 'position'>> {
  const isHigh = (yesPips: bigint): boolean => yesPips < 2_500n || yesPips > 7_500n;
  const market = await stack.tradableMarket({ maxMinutes: nearMinutes, isPriced: isHigh });
  return { market, side: await stack.likelierSide(market) };
}
