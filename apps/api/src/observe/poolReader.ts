import { Fault } from '@core/errors';
import type { PoolSnapshot } from '@core/policy';
import { add, type UsdcUnits, usdcUnits } from '@core/pricing';
import { liquidityPoolAbi } from '@core/vault';
import type { Address, PublicClient } from 'viem';

/** What an outcome has borrowed and may borrow at most. */
export interface OutcomeLoan {
  readonly lentUsdcUnits: UsdcUnits;
  readonly capUsdcUnits: UsdcUnits;
}

/** The pool as last read from the chain. */
export interface PoolView {
  /** Null when the last reading is too old to promise anything on. */
  pool(): PoolSnapshot | null;
  /** Null when the outcome is not registered or was not read. */
  outcomeLoanOf(outcomeId: number | null): OutcomeLoan | null;
  /** Age of the last reading on the process's own clock, null before the first. */
  ageMs(): number | null;
}

/** Reads the pool over RPC when told to; decisions use the last reading as long as it is young enough. */
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

  /** Reads book and free liquidity. @throws Fault when the chain does not answer. */
  async refresh(): Promise<void> {
    const pool = { address: this.#pool, abi: liquidityPoolAbi } as const;
    try {
      const [book, free] = await Promise.all([
        this.#client.readContract({ ...pool, functionName: 'bookOf' }),
        this.#client.readContract({ ...pool, functionName: 'freeLiquidity' }),
      ]);
      const lentUsdcUnits = usdcUnits(BigInt(book.lentUsdcUnits));
      this.#reading = {
        readAt: performance.now(),
        pool: {
          assetsUsdcUnits: add(usdcUnits(BigInt(book.idleUsdcUnits)), lentUsdcUnits),
          reserveUsdcUnits: usdcUnits(BigInt(book.reserveUsdcUnits)),
          lentUsdcUnits,
          freeLiquidityUsdcUnits: usdcUnits(free),
        },
      };
    } catch (cause) {
      throw new Fault({ origin: 'chain', kind: 'retryable', message: 'the pool cannot be read', cause });
    }
  }

  /** Reads loans and caps of the given outcomes. @throws Fault when the chain does not answer. */
  async refreshLoans(outcomeIds: readonly number[]): Promise<void> {
    try {
      const loans = await Promise.all(
        outcomeIds.map((outcomeId) =>
          this.#client.readContract({
            address: this.#pool,
            abi: liquidityPoolAbi,
            functionName: 'outcomeLoanOf',
            args: [outcomeId],
          }),
        ),
      );
      for (const [index, [lent, cap]] of loans.entries()) {
        const outcomeId = outcomeIds[index];
        if (outcomeId === undefined) continue;
        this.#loans.set(outcomeId, { lentUsdcUnits: usdcUnits(lent), capUsdcUnits: usdcUnits(cap) });
      }
    } catch (cause) {
      throw new Fault({ origin: 'chain', kind: 'retryable', message: 'the loans of outcomes cannot be read', cause });
    }
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
