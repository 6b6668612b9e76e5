import { type AttestationRefusalCode, vaultConstants } from '@core/vault';
import type { ObservedRequest } from './observeRequest.ts';

/** Half of what the vault allows: the order still has to reach the chain. */
const maxAgeSeconds = BigInt(vaultConstants.attestationAgeSeconds / 2);

/**
 * Why what was observed at a moment is not signed now; null when it may be. What was observed before an alarm is not
 * signed while that is on: every order of an alarm rests on what all signers see since.
 */
export function momentRefusalOf(
  observedAt: bigint,
  { position, alarmRaisedAt }: Pick<ObservedRequest, 'position' | 'alarmRaisedAt'>,
): AttestationRefusalCode | null {
  const nowSeconds = BigInt(position.blockTimeMs / 1_000);
  if (observedAt > nowSeconds) return 'observed_in_future';
  if (alarmRaisedAt !== null && observedAt < alarmRaisedAt) return 'observed_before_alarm';
  return nowSeconds - observedAt > maxAgeSeconds ? 'observed_too_long_ago' : null;
}
