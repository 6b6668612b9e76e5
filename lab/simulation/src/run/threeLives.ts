import type { Position as OwnPosition } from '@core/position';
import type { Position } from '@core/sdk';
import { vaultAbi } from '@core/vault';
import type { Hex } from 'viem';
import { Trader } from '../actors/trader.ts';
import { brokenPositions } from '../check/brokenPositions.ts';
import type { Say } from '../faults/fault.ts';
import type { World } from '../world/startWorld.ts';
import { until } from '../world/until.ts';

type Ending = 'crash' | 'close';

const ended: ReadonlySet<string> = new Set(['closed', 'liquidated', 'settled', 'cancelled']);
const plans = [
  { name: 'alice', ending: 'crash' },
  { name: 'bob', ending: 'close' },
  { name: 'carol', ending: 'crash' },
] as const;
/** Pips under the price of liquidation: more than the half cent that a mid may lie above it. */
const underPips = 60n;

interface Outcome {
  readonly say: Say;
  /** End all trouble: the rest of the world must come to rest. */
  readonly endFaults: () => void;
}

/** Three users open a position each; one closes it, the prices of two fall until they are liquidated. */
export async function threeLives(world: World, { say, endFaults }: Outcome): Promise<void> {
  const lives = plans.map((plan, marketIndex) => live(world, say, { ...plan, marketIndex }));
  const keys = await Promise.all(lives);
  endFaults();
  // Blocks that were replaced may have undone an end: it has to come once more.
  await until('end of all positions and rest of all intents', async () => {
    const records = await Promise.all(keys.map((key) => endedOf(world, key)));
    const open = await world.store.intents.inStates(['prepared', 'signed', 'broadcast']);
    return open.length === 0 && !records.includes(null) ? true : null;
  });
  const broken = await brokenPositions(world, keys);
  for (const line of broken) say(`BROKEN ${line}`);
  say(`${keys.length} positions, ${broken.length} broken`);
}

async function live(
  world: World,
  say: Say,
  {
    name,
    ending,
    marketIndex,
  }: { readonly name: 'alice' | 'bob' | 'carol'; readonly ending: Ending; readonly marketIndex: number },
): Promise<Hex> {
  const trader = new Trader(world, name, world.deployment.roles[name]);
  const trade = await trader.quote((markets) => markets[marketIndex]);
  const { key, market, side } = trade;
  say(`${name} has a quote in ${market.ticker}`);
  let position: Position | null = null;
  try {
    position = await trader.open(trade);
    say(`${name} opened: ${position.status}`);
    if (ending === 'crash') await fall(world, { key, ticker: market.ticker, side });
    else say(`${name} closes: ${await trader.close(position)}`);
  } catch (error) {
    say(`${name}: ${error instanceof Error ? `${error.name} ${error.message}` : String(error)}`);
  }
  const record = await until(`end of the position of ${name}`, () => endedOf(world, key));
  say(`${name} ended: ${record.status} ${record.closeReason ?? record.failureReason ?? ''}`);
  return key;
}

async function endedOf({ store }: World, key: Hex): Promise<OwnPosition | null> {
  const record = await store.positions.byKey(key);
  return record !== null && ended.has(record.status) ? record : null;
}

async function fall(
  { driver, deployment, control }: World,
  { key, ticker, side }: { readonly key: Hex; readonly ticker: string; readonly side: 'yes' | 'no' },
): Promise<void> {
  const pips = await driver.rpc.client.readContract({
    address: deployment.contracts.vault,
    abi: vaultAbi,
    functionName: 'liquidationPriceOf',
    args: [key],
  });
  await control.play('crash', ticker, { side, to: (Number(pips - underPips) / 10_000).toFixed(4) });
}
