import { Fault } from '@core/errors';
import type { MarketRecord } from '@core/market';
import type { OutcomeLoan, PoolSnapshot } from '@core/policy';
import { usdcUnits } from '@core/pricing';
import { liquidityPoolAbi } from '@core/vault';
import type { Address, PublicClient } from 'viem';

/** 5 USD, the smallest size of a position: a pool with less opens no position with leverage. */
export const smallestLendableUsdcUnits = usdcUnits(5_000_000n);

/** The pool as last read from the chain. */
export interface PoolView {
  /** Null when the last reading is too old to promise anything on. */
  pool(): PoolSnapshot | null;
  /** Null when the outcome is not registered or was not read. */
  outcomeLoanOf(outcomeId: number | null): OutcomeLoan | null;
  /** Age of the last reading on the process's own clock, null before the first. */
  ageMs(): number | null;
}

/** The pool and the loans of one market's outcomes, as usage is counted against them. */
export function poolUsageOf(pool: PoolView, record: MarketRecord) {
  return {
    pool: pool.pool(),
    yes: pool.outcomeLoanOf(record.yesOutcomeId),
    no: pool.outcomeLoanOf(record.noOutcomeId),
  };
}

/** Loans asked for at once: reading the answers of thousands together would hold up every request. */
const loansAtOnce = 98;

/** Reads the pool over RPC when asked to; decisions use the last reading as long as it is young enough. */
export class PoolReader implements PoolView {
  readonly #client: PublicClient;
  readonly #pool: Address;
  readonly #maxAgeMs: number;
  readonly #loans = new Map<number, OutcomeLoan>();
  #reading: { readonly pool: PoolSnapshot; readonly readAt: number } | null = null;

  constructor(options: { client: PublicClient; pool: Address; maxAgeMs: number }) {
    this.#client = options.client;
    this.#pool = options.pool;
    this.#maxAgeMs = options.maxAgeMs;
  }

  /** Read book and free liquidity. @throws Fault when the chain does not answer. */
  async refresh(): Promise<void> {
    const pool = { address: this.#pool, abi: liquidityPoolAbi } as const;
    try {
      const [book, free] = await Promise.all([
        this.#client.readContract({ ...pool, functionName: 'bookOf' }),
        this.#client.readContract({ ...pool, functionName: 'freeLiquidity' }),
      ]);
      this.#reading = {
        readAt: performance.now(),
        pool: {
          idleUsdcUnits: usdcUnits(BigInt(book.idleUsdcUnits)),
          reserveUsdcUnits: usdcUnits(BigInt(book.reserveUsdcUnits)),
          lentUsdcUnits: usdcUnits(BigInt(book.lentUsdcUnits)),
          impairedUsdcUnits: usdcUnits(BigInt(book.impairedUsdcUnits)),
          freeLiquidityUsdcUnits: usdcUnits(free),
        },
      };
    } catch (cause) {
      throw new Fault({ origin: 'chain', kind: 'retryable', message: 'the pool cannot be read', cause });
    }
  }

  /**
   * Read loans and caps of the given outcomes. One that cannot be read keeps its last figures and none of the others.
   * @throws Fault when the chain did not answer for some of them, after all were asked for.
   */
  async refreshLoans(outcomeIds: readonly number[]): Promise<void> {
    const failures: unknown[] = [];
    for (let from = 0; from < outcomeIds.length; from += loansAtOnce) {
      const batch = outcomeIds.slice(from, from + loansAtOnce);
      const answers = await Promise.allSettled(batch.map((outcomeId) => this.#readLoan(outcomeId)));
      failures.push(...answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : [])));
      // A chain that answers none of a batch is away: the other batches would fail too.
      if (failures.length === batch.length && from === 0) break;
    }
    const [cause] = failures;
    if (cause === undefined) return;
    const message = `the loans of ${failures.length} of ${outcomeIds.length} outcomes cannot be read`;
    throw new Fault({ origin: 'chain', kind: 'retryable', message, cause });
  }

  async #readLoan(outcomeId: number): Promise<void> {
    const [loan, cap] = await this.#client.readContract({
      address: this.#pool,
      abi: liquidityPoolAbi,
      functionName: 'outcomeLoanOf',
      args: [outcomeId],
    });
    this.#loans.set(outcomeId, { loanUsdcUnits: usdcUnits(loan), capUsdcUnits: usdcUnits(cap) });
  }

  pool(): PoolSnapshot | null {
    const ageMs = this.ageMs();
    return this.#reading === null || ageMs === null || ageMs > this.#maxAgeMs ? null : this.#reading.pool;
  }

  outcomeLoanOf(outcomeId: number | null): OutcomeLoan | null {
    return outcomeId === null ? null : (this.#loans.get(outcomeId) ?? null);
  }

  ageMs(): number | null {
    return this.#reading === null ? null : performance.now() - this.#reading.readAt;
  }
}
