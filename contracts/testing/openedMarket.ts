import assert from 'node:assert/strict';
import type { Hex } from 'viem';
import type { LocalExchange } from '../local/deployLocal.ts';
import {
  deployLocal,
  type LocalAccount,
  type LocalChain,
  LocalDriver,
  type LocalMarket,
  LocalRevert,
  startLocalChain,
} from '../local/index.ts';

/** A local chain of its own with everything deployed, one market open and its first maker holding its tokens. */
export class OpenedMarket {
  readonly driver: LocalDriver;
  readonly market: LocalMarket;
  readonly maker: LocalAccount;
  readonly #chain: LocalChain;
  #snapshot: Hex | undefined;

  private constructor(chain: LocalChain, driver: LocalDriver, market: LocalMarket) {
    [this.#chain, this.driver, this.market] = [chain, driver, market];
    this.maker = firstOf(driver.deployment.roles.makers);
  }

  static async start(question: string, exchange: LocalExchange = 'VenueExchange'): Promise<OpenedMarket> {
    const chain = await startLocalChain({ blockIntervalMs: 0 });
    const { rpcUrl } = chain;
    const driver = new LocalDriver({ rpcUrl, deployment: await deployLocal({ rpcUrl, exchange }) });
    const opened = new OpenedMarket(chain, driver, await driver.openMarket(question));
    await driver.mintTokens(opened.maker, opened.market, 10_000_000_000n);
    return opened;
  }

  /** Returns to the state of the first call; that call only remembers it. */
  async reset(): Promise<void> {
    if (this.#snapshot !== undefined) await this.driver.rpc.revertTo(this.#snapshot);
    this.#snapshot = await this.driver.rpc.snapshot();
  }

  close(): Promise<void> {
    return this.#chain.close();
  }
}

/** The first of a list that cannot be empty. */
export function firstOf<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined) throw new Error('the list is empty');
  return first;
}

/** A transaction reverts, with the named error where one is named. */
export async function assertReverts(action: Promise<unknown>, errorName?: string): Promise<void> {
  await assert.rejects(action, (error: unknown) => {
    assert.ok(error instanceof LocalRevert);
    if (errorName !== undefined) assert.equal(error.errorName, errorName);
    return true;
  });
}
