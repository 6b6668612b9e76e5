import type { AttestationRefusalCode } from '@core/attestation';
import { vaultConstants } from '@core/vault';
import type { ObservedRequest } from './observeRequest.ts';

/** Half of what the vault allows: the order still has to reach the chain. */
const maxAgeSeconds = BigInt(vaultConstants.attestationAgeSeconds / 2);

/**
 * Return the refusal that follows from the observation time alone; null when that time is valid. An observation from
 * before an alarm is refused while the alarm is on. Every order of an alarm is then based on later observations of all
 * signers.
 */
export function timeRefusalOf(
  observedAt: bigint,
  { position, alarmRaisedAt }: Pick<ObservedRequest, 'position' | 'alarmRaisedAt'>,
  oldestSeconds = maxAgeSeconds,
): AttestationRefusalCode | null {
  const nowSeconds = BigInt(position.blockTimeMs / 1_000);
  if (observedAt > nowSeconds) return 'observed_in_future';
  if (alarmRaisedAt !== null && observedAt < alarmRaisedAt) return 'observed_before_alarm';
  return nowSeconds - observedAt > oldestSeconds ? 'observed_too_long_ago' : null;
}
