import type { PoolSnapshot } from '@core/policy';
import { usdcUnits } from '@core/pricing';
import type { ApiParts } from '../src/startApi.ts';

const usdc = (dollars: bigint) => usdcUnits(dollars * 1_000_000n);

/** A pool that no one draws on: 500,000 USDC of liquidity, 25,000 of reserve. */
export class FakePool implements NonNullable<ApiParts['pool']> {
  reading: PoolSnapshot | null = {
    idleUsdcUnits: usdc(500_000n),
    reserveUsdcUnits: usdc(25_000n),
    lentUsdcUnits: usdc(0n),
    impairedUsdcUnits: usdc(0n),
    freeLiquidityUsdcUnits: usdc(400_000n),
  };

  pool(): PoolSnapshot | null {
    return this.reading;
  }

  outcomeLoanOf(): null {
    return null;
  }

  ageMs(): number {
    return 0;
  }

  async refresh(): Promise<void> {
    await Promise.resolve();
  }

  async refreshLoans(): Promise<void> {
    await Promise.resolve();
  }
}
