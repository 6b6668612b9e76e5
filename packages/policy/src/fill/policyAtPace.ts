import type { LivePurpose } from '@core/position';
import type { PolicyConfig } from '../config.ts';

/** Blocks in which a grant can be filled: one for the path, one for a fill, and one for a fill that was late. */
const blocksOfGrant = 3;

/**
 * Return the policy for a chain with a block every so many seconds: grants live for at least three blocks, and no
 * longer than the vault takes. API and price signers decide with the same pace.
 */
export function policyAtPace(config: PolicyConfig, blockSeconds: number): PolicyConfig {
  const { validForSeconds, maxSeconds } = config.grant;
  const secondsOf = (purpose: LivePurpose): number =>
    Math.min(maxSeconds, Math.max(validForSeconds[purpose], blocksOfGrant * blockSeconds));
  const seconds = {
    open: secondsOf('open'),
    close: secondsOf('close'),
    unwind: secondsOf('unwind'),
    liquidate: secondsOf('liquidate'),
  };
  return { ...config, grant: { ...config.grant, validForSeconds: seconds } };
}
