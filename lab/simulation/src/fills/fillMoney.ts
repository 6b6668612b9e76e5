import { profitAndLossOf, readJournal } from '@core/filler';
import { PositionState, Purpose, vaultAbi } from '@core/vault';
import { getAddress, type Hex } from 'viem';
import type { FillerKind } from '../world/fillers.ts';
import type { World } from '../world/startWorld.ts';
import { readVaultEvents } from './grantTries.ts';

/** Money and tokens of a filler, and what it filled. Units are decimal texts: reports are JSON. */
export interface FillerMoney {
  readonly kind: FillerKind;
  readonly usdcUnits: string;
  /** Outcome tokens that it holds, those of all markets together. */
  readonly tokenUnits: string;
  readonly openingCount: number;
  readonly saleCount: number;
  /** Difference between its own accounts and the chain, as its journal has it; null for a filler without accounts. */
  readonly differenceUsdcUnits: number | null;
}

/** Money that fills move, at one moment. */
export interface FillMoney {
  /** Cash of the pool, reserve included, and what positions owe it of their loans. */
  readonly poolUsdcUnits: string;
  /** Debts of open positions, and what their tokens bring at the best bid, each at most its debt. */
  readonly owedUsdcUnits: string;
  readonly coveredUsdcUnits: string;
  /** Bad debts of ended positions. */
  readonly badUsdcUnits: string;
  readonly openPositionCount: number;
  /** Positions whose tokens are not the sum of their fills, and grants that were filled beyond their maximum. */
  readonly broken: readonly string[];
  readonly fillers: readonly FillerMoney[];
}

type Events = Awaited<ReturnType<typeof readVaultEvents>>;

/** Read the money of a world from its chain. */
export async function observeFillMoney(world: World): Promise<FillMoney> {
  const { driver, deployment } = world;
  const events = await readVaultEvents(world);
  const keys = [...new Set(events.map(({ args }) => args.positionKey))];
  const positions = await Promise.all(keys.map((key) => observePosition(world, key)));
  const sumOf = (part: 'owed' | 'principal' | 'covered' | 'bad'): bigint =>
    positions.reduce((sum, position) => sum + position[part], 0n);
  return {
    poolUsdcUnits: String((await driver.usdcOf(deployment.contracts.pool)) + sumOf('principal')),
    owedUsdcUnits: String(sumOf('owed')),
    coveredUsdcUnits: String(sumOf('covered')),
    badUsdcUnits: String(sumOf('bad')),
    openPositionCount: positions.filter(({ isOpen }) => isOpen).length,
    broken: [...positions.flatMap((position) => brokenSumOf(events, position)), ...overfilledOf(events)],
    fillers: await Promise.all(world.fillers.map((filler) => observeFiller(world, filler, events))),
  };
}

async function observePosition({ driver, deployment, venue }: World, key: Hex) {
  const { client } = driver.rpc;
  const vault = { address: deployment.contracts.vault, abi: vaultAbi } as const;
  const position = await client.readContract({ ...vault, functionName: 'positionOf', args: [key] });
  const outcome = await client.readContract({ ...vault, functionName: 'outcomeOf', args: [position.outcomeId] });
  const [principal, fees] = await client.readContract({ ...vault, functionName: 'debtOf', args: [key] });
  const isOpen = position.state === PositionState.Open;
  const listed = venue.venue.markets.listed.find(({ market }) => market.definition.conditionId === outcome.conditionId);
  const side = listed?.market.definition.tokenIds.indexOf(outcome.tokenId) === 0 ? 0 : 1;
  const worth = (position.tokenUnits * (listed?.market.bestBidPips(side) ?? 0n)) / 10_000n;
  const owed = isOpen ? principal + fees : 0n;
  const bad = position.badDebtUsdcUnits;
  const covered = worth < owed ? worth : owed;
  return { key, isOpen, owed, principal: isOpen ? principal : 0n, covered, bad, tokenUnits: position.tokenUnits };
}

/** Return a line for a position whose tokens are not what its fills bought less what they sold. */
function brokenSumOf(
  events: Events,
  { key, tokenUnits, isOpen }: { readonly key: Hex; readonly tokenUnits: bigint; readonly isOpen: boolean },
): readonly string[] {
  const sum = events.reduce((units, event) => {
    if (event.eventName !== 'GrantFilled' || event.args.positionKey !== key) return units;
    return event.args.purpose === Purpose.Open ? units + event.args.tokenUnits : units - event.args.tokenUnits;
  }, 0n);
  return isOpen && sum !== tokenUnits ? [`${key}: ${tokenUnits} token units, ${sum} by fills`] : [];
}

/** Return a line for each grant that fills took beyond its maximum. */
function overfilledOf(events: Events): readonly string[] {
  const grants = new Map<Hex, { readonly mostUnits: bigint; filledUnits: bigint }>();
  const lines: string[] = [];
  for (const { eventName, args } of events) {
    const grant = grants.get(args.positionKey);
    if (eventName === 'GrantAuthorized') grants.set(args.positionKey, { mostUnits: args.mostUnits, filledUnits: 0n });
    else if (grant !== undefined) {
      grant.filledUnits += args.purpose === Purpose.Open ? args.usdcUnits - args.feeUsdcUnits : args.tokenUnits;
      if (grant.filledUnits > grant.mostUnits) lines.push(`${args.positionKey}: filled beyond its grant`);
    }
  }
  return lines;
}

async function observeFiller(
  { driver, deployment, venue }: World,
  { kind, address, journalFile }: World['fillers'][number],
  events: Events,
): Promise<FillerMoney> {
  const tokenIds = venue.venue.markets.listed.flatMap(({ market }) => market.definition.tokenIds);
  const units = await Promise.all(
    tokenIds.map((tokenId) => driver.tokensOf(address, { conditionId: '0x', tokenId: BigInt(tokenId) })),
  );
  const fillers = await fillersOf({ driver, deployment }, events);
  const own = fillers.filter((fill) => fill.filler === address);
  const usdcUnits = await driver.usdcOf(address);
  const openingCount = own.filter(({ purpose }) => purpose === Purpose.Open).length;
  return {
    kind,
    usdcUnits: String(usdcUnits),
    tokenUnits: String(units.reduce((sum, one) => sum + one, 0n)),
    openingCount,
    saleCount: own.length - openingCount,
    differenceUsdcUnits: journalFile === null ? null : differenceOf(journalFile, usdcUnits),
  };
}

/** Return the account behind each fill: the contract that makes pairs fills for the sender of the transaction. */
function fillersOf({ driver }: Pick<World, 'driver' | 'deployment'>, events: Events) {
  return Promise.all(
    events.flatMap(({ eventName, transactionHash, args }) =>
      eventName !== 'GrantFilled'
        ? []
        : [
            driver.rpc.client
              .getTransaction({ hash: transactionHash })
              .then(({ from }) => ({ filler: getAddress(from), purpose: args.purpose })),
          ],
    ),
  );
}

/** Return the difference of a balance from the one that a journal has booked. @throws Error for an empty journal. */
function differenceOf(journalFile: string, usdcUnits: bigint): number {
  const accounts = profitAndLossOf(readJournal(journalFile));
  if (accounts === null) throw new Error('the filler has no accounts');
  return Number(usdcUnits - accounts.balanceUsdcUnits);
}
