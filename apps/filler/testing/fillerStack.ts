import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  deployLocal,
  type LocalAccount,
  type LocalDeployment,
  LocalDriver,
  type LocalPosition,
  startLocalChain,
} from '@core/contracts/local';
import type { MarketVersion } from '@core/market';
import { createLogger } from '@core/runtime';
import { keyFileOf } from '@core/runtime/testing';
import { steadyStart } from '@core/testkit';
import { PositionState, Purpose, vaultAbi } from '@core/vault';
import { optionsFromEnv, startVenueSim, type VenueSim, type VenueSimOptions } from '@core/venue-sim';
import { VenueControl } from '@core/venue-sim/control';
import {
  fillerEnvironment,
  localWorldOf,
  type ProgramEnvironment,
  spawnProgram,
  venueEnvironment,
  venueKeysText,
} from '@core/world';
import { type Address, encodeFunctionData, type Hex, slice } from 'viem';
import { type ProfitAndLoss, profitAndLossOf } from '../src/accounts/profitAndLoss.ts';
import { configOfEnv, type FillerConfig, type RunningFiller, startFiller } from '../src/index.ts';
import { readJournal } from '../src/journal/journal.ts';
import { authorizeGrant, createAlicePosition } from './grants.ts';

/** Market of the simulator whose outcomes are registered with the vault. */
export interface GrantMarket {
  readonly slug: string;
  readonly conditionId: Hex;
  readonly yesTokenId: bigint;
  readonly noTokenId: bigint;
}

/** Crash of a filler whose float suffices for pairs, or for a purchase alone. */
export interface Crash {
  readonly failpoint: string;
  readonly floatUsd: number;
  /** Time for which tokens rest before it sells them; 0 when absent. */
  readonly restSeconds?: number;
  /** Price of the market in USD; even odds when absent. */
  readonly price?: string;
}

const silent = createLogger({ name: 'filler', level: 'silent' });

/** Trade of a test's opening. */
const notionalUsdcUnits = 100_000_000n;

/** Tokens below this cannot be sold at the venue. */
const minimumSaleTokenUnits = 5_000_000n;

/** Real chain, vault and venue around fillers, and the parts that user, keeper and price signers play. */
export class FillerStack {
  readonly deployment: LocalDeployment;
  readonly driver: LocalDriver;
  readonly venue: VenueSim;
  readonly rpcUrl: string;
  readonly fillers: readonly [LocalAccount, LocalAccount];
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'filler-'));
  readonly #close: () => Promise<void>;
  readonly #children: ChildProcess[] = [];
  #seed = 0n;
  #markPips = 5_000n;

  constructor(parts: {
    readonly deployment: LocalDeployment;
    readonly rpcUrl: string;
    readonly venue: VenueSim;
    readonly close: () => Promise<void>;
  }) {
    const [first, second] = parts.deployment.roles.fillers;
    if (first === undefined || second === undefined) throw new Error('there are no two filler accounts');
    this.fillers = [first, second];
    this.deployment = parts.deployment;
    this.rpcUrl = parts.rpcUrl;
    this.venue = parts.venue;
    this.driver = new LocalDriver(parts);
    this.#close = parts.close;
  }

  /** Register the outcomes of a crypto market that runs for a day, its price pinned at even odds. */
  async market(version: MarketVersion = 'v1'): Promise<GrantMarket> {
    const running = this.venue.venue.markets.listed.find(
      ({ market }) =>
        market.stage === 'trading' && market.slug.includes('on-') && market.definition.version === version,
    );
    if (running === undefined) throw new Error('the simulator lists no daily market');
    const { slug, definition } = running.market;
    const { roles, contracts } = this.deployment;
    for (const index of [0n, 1n]) {
      const managed = [slice(definition.conditionId, 0, 31), index] as const;
      const plain = [roles.oracle.address, definition.questionId, index + 1n] as const;
      const data =
        version === 'v2'
          ? encodeFunctionData({ abi: vaultAbi, functionName: 'registerManagedOutcome', args: managed })
          : encodeFunctionData({ abi: vaultAbi, functionName: 'registerOutcome', args: plain });
      await this.driver.rpc.send(roles.keeper, { to: contracts.vault, data });
    }
    await this.pin({ slug }, '0.50');
    const [yesTokenId, noTokenId] = definition.tokenIds;
    return { slug, conditionId: definition.conditionId, yesTokenId, noTokenId };
  }

  /** Hold the price of a market. Grants have it as their mark. */
  async pin({ slug }: Pick<GrantMarket, 'slug'>, price: string): Promise<void> {
    await new VenueControl(this.venue.url).pin([slug], price);
    this.#markPips = BigInt(Math.round(Number(price) * 10_000));
  }

  /** Play a scenario of the simulator in a market. */
  play(name: string, { slug }: GrantMarket, params: object): Promise<void> {
    return new VenueControl(this.venue.url).play(name, slug, params);
  }

  /** Create a position of alice's on YES and grant its opening, covered after a third of its ten seconds. */
  async grantOpening({ conditionId, yesTokenId }: GrantMarket): Promise<LocalPosition> {
    this.#seed += 1n;
    const token = { conditionId, tokenId: yesTokenId };
    const position = await createAlicePosition(this.driver, { token, seed: this.#seed });
    await this.#authorizeOpening(position);
    return position;
  }

  #authorizeOpening(position: LocalPosition): Promise<void> {
    return authorizeGrant(this.driver, position, {
      purpose: Purpose.Open,
      maximumUnits: notionalUsdcUnits,
      markPips: this.#markPips,
      limitPips: (this.#markPips * 105n) / 100n,
      venueFeeBps: 450n,
      validFor: 10,
    });
  }

  /**
   * Grant an opening again, as the keeper does, each time its grant ends without a fill, until something happens: a
   * grant lives ten seconds, and a process may take longer to start.
   */
  async grantUntil(position: LocalPosition, subject: string, hasHappened: () => Promise<boolean>): Promise<void> {
    const { roles, contracts } = this.deployment;
    const args = [position.positionKey] as const;
    await this.until(subject, async () => {
      if (await hasHappened()) return true;
      if ((await this.stateOf(position)) !== PositionState.Pending || !(await this.#hasEnded(position)))
        return undefined;
      const data = encodeFunctionData({ abi: vaultAbi, functionName: 'endGrant', args });
      const isEnded = await this.driver.rpc.send(roles.keeper, { to: contracts.vault, data }).then(
        () => true,
        // A fill in the last second ended it first.
        () => false,
      );
      if (isEnded) await this.#authorizeOpening(position);
      return undefined;
    });
  }

  /** Grant the sale of all tokens of an open position. */
  async grantClose(position: LocalPosition): Promise<void> {
    const { tokenUnits } = await this.driver.positionOf(position);
    await this.driver.requestClose({ position, sender: this.deployment.roles.alice, tokenUnits });
    await authorizeGrant(this.driver, position, {
      purpose: Purpose.Close,
      maximumUnits: tokenUnits,
      markPips: this.#markPips,
      limitPips: (this.#markPips * 95n) / 100n,
      venueFeeBps: 450n,
      validFor: 10,
    });
  }

  /** Wait until a position is open. */
  async opens(position: LocalPosition): Promise<void> {
    const isOpen = async (): Promise<boolean> => (await this.stateOf(position)) === PositionState.Open;
    await this.grantUntil(position, 'the opening', isOpen);
  }

  async stateOf(position: LocalPosition): Promise<number> {
    return (await this.driver.positionOf(position)).state;
  }

  /** Wait until no grant of a position may be filled any more. */
  async grantEnds(position: LocalPosition): Promise<void> {
    await this.until('the end of the grant', async () => ((await this.#hasEnded(position)) ? true : undefined));
  }

  async #hasEnded({ positionKey }: LocalPosition): Promise<boolean> {
    const { vault } = this.deployment.contracts;
    const args = [positionKey] as const;
    const read = { address: vault, abi: vaultAbi, functionName: 'grantOf', args } as const;
    const { purpose, endsAt } = await this.driver.rpc.client.readContract(read);
    return purpose === Purpose.None || BigInt(endsAt) < (await this.driver.rpc.nowSeconds());
  }

  #environmentOf(account: LocalAccount): ProgramEnvironment {
    const keyFile = keyFileOf(account.privateKey);
    const options = { keyFile, journalFile: this.journalOf(account) };
    return { ...fillerEnvironment(localWorldOf(this, 'fill'), options), FILLER_BOOK_MS: '500' };
  }

  journalOf({ address }: LocalAccount): string {
    return path.join(this.#folder, `${address}.ndjson`);
  }

  startFiller(account: LocalAccount, changes: Partial<FillerConfig> = {}): Promise<RunningFiller> {
    return startFiller({ ...configOfEnv(this.#environmentOf(account)).config, logger: silent, ...changes });
  }

  /** Start the filler as a process of its own that kills itself at a named point. */
  spawnFiller(account: LocalAccount, { failpoint, floatUsd, restSeconds = 0 }: Crash): ChildProcess {
    const child = spawnProgram('filler', {
      stdio: 'ignore',
      env: {
        ...this.#environmentOf(account),
        FILLER_FLOAT_USD: String(floatUsd),
        FILLER_REST_SECONDS: String(restSeconds),
        NODE_ENV: 'test',
        FAILPOINT: failpoint,
      },
    });
    this.#children.push(child);
    return child;
  }

  /**
   * Wait until a running filler has sold everything and its accounts equal the chain.
   * @returns The accounts, exact to the unit.
   */
  async reconciled(
    account: LocalAccount,
    { yesTokenId, noTokenId }: GrantMarket,
    wallets: readonly Address[] = [],
  ): Promise<ProfitAndLoss> {
    const owners = [account.address, ...wallets];
    return this.until('accounts that equal the chain', async () => {
      for (const tokenId of [yesTokenId, noTokenId]) {
        for (const owner of owners) {
          const units = await this.driver.tokensOf(owner, { conditionId: '0x', tokenId });
          if (units >= minimumSaleTokenUnits) return undefined;
        }
      }
      const state = readJournal(this.journalOf(account));
      const accounts = profitAndLossOf(state);
      const balances = await Promise.all(owners.map((owner) => this.driver.usdcOf(owner)));
      const balance = balances.reduce((sum, units) => sum + units, 0n);
      const isWhole = state.calls.size === 0 && state.orders.size === 0;
      return accounts !== null && isWhole && accounts.balanceUsdcUnits === balance ? accounts : undefined;
    });
  }

  /** Wait until something is read that is not undefined. */
  async until<Value>(subject: string, read: () => Promise<Value | undefined>, timeoutMs = 60_000): Promise<Value> {
    const endMs = performance.now() + timeoutMs;
    for (;;) {
      const value = await read();
      if (value !== undefined) return value;
      if (performance.now() > endMs) throw new Error(`timed out waiting for ${subject}`);
      await delay(100);
    }
  }

  async close(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    await this.#close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export const hasExited = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Start a chain, a deployment and a venue with crypto markets. */
export async function startFillerStack(
  changes: (rpcUrl: string) => Promise<Partial<VenueSimOptions>> = async () => ({}),
): Promise<FillerStack> {
  const chain = await startLocalChain({ initialDate: steadyStart() });
  const deployment = await deployLocal({ rpcUrl: chain.rpcUrl });
  const { rpcUrl } = chain;
  const keysFile = keyFileOf(venueKeysText(deployment.roles));
  const venue = await startVenueSim({
    ...optionsFromEnv(venueEnvironment({ rpcUrl, deployment }, { keysFile })).options,
    // The contracts of managed markets too.
    contracts: deployment.contracts,
    isListed: ({ category, feeSchedule, event }) =>
      category === 'crypto' && feeSchedule !== null && event.series?.recurrence !== '15m',
    settlementTimes: { confirmMs: 200 },
    oracleTimes: { requestMs: 200, proposeMs: 200, livenessMs: 1_000 },
    ...(await changes(rpcUrl)),
  });
  return new FillerStack({
    deployment,
    rpcUrl,
    venue,
    close: async () => {
      await venue.close();
      await chain.close();
    },
  });
}
