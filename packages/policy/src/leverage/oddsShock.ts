import { expE12, oneE12, sqrtE12 } from '@core/market';
import type { ModelConfig } from '../config.ts';
import type { RiskPhase } from '../market/riskPhase.ts';

/** Inputs of the size of the shock. */
export interface ShockInputs {
  readonly phase: Pick<RiskPhase, 'leftSeconds' | 'jumpBps' | 'shockMultiplierBps'>;
  /** Logit variance per second; null when nothing was seen yet. */
  readonly realisedVarianceE12: bigint | null;
  /** A reference feed has been silent for too long: the variance counts twice. */
  readonly isReferenceSilent: boolean;
}

/**
 * v: probit variance per second. A market that must resolve in τ seconds has 1/τ; what was realised counts when it is
 * more, brought to the probit scale.
 */
function varianceOf(inputs: ShockInputs, config: ModelConfig): bigint {
  const floorE12 = oneE12 / inputs.phase.leftSeconds;
  const realisedE12 = ((inputs.realisedVarianceE12 ?? 0n) * 10_000n) / config.logitVarianceRatioBps;
  const varianceE12 = realisedE12 > floorE12 ? realisedE12 : floorE12;
  return inputs.isReferenceSilent ? 2n * varianceE12 : varianceE12;
}

/** X = exp(√(J² + k²·exitSeconds·v)): the factor by which the odds may shrink until a sale is done. At least one. */
export function oddsShockOf(inputs: ShockInputs, config: ModelConfig): bigint {
  const { jumpBps, shockMultiplierBps } = inputs.phase;
  const jumpE12 = (jumpBps * jumpBps * oneE12) / 100_000_000n;
  const driftE12 =
    (shockMultiplierBps * shockMultiplierBps * config.exitSeconds * varianceOf(inputs, config)) / 100_000_000n;
  return expE12(sqrtE12(jumpE12 + driftE12));
}

/** c = e / (e + (1 − e)·X): value per token that debt may reach and still be covered after the shock. */
export function coveredValueOf(netValueE12: bigint, shockE12: bigint): bigint {
  if (netValueE12 <= 0n) return 0n;
  const shrunkE12 = ((oneE12 - netValueE12) * shockE12) / oneE12;
  return (netValueE12 * oneE12) / (netValueE12 + shrunkE12);
}
