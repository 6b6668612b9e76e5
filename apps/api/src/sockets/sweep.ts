import type { Clock } from '@core/runtime';
import { isoTimeOf, socketLimits } from '@core/wire';
import type { CallerDirectory } from '../auth/callerDirectory.ts';
import type { Connections } from './connections.ts';

/**
 * What each connection is looked at for, again and again: a sign of life, a token that runs out or whose signing key
 * was withdrawn, a revoked API key.
 */
export async function sweep(
  connections: Connections,
  {
    clock,
    callers,
    runningMs,
  }: {
    readonly clock: Clock;
    readonly callers: Pick<CallerDirectory, 'identify' | 'isCurrent'>;
    /** Of the process's own clock, which no one sets. */
    readonly runningMs: number;
  },
): Promise<void> {
  const nowMs = clock.nowMs();
  const keyTexts = new Set<string>();
  for (const connection of connections.all()) {
    const { token, keyText } = connection;
    if (keyText !== null) keyTexts.add(keyText);
    if (runningMs - connection.heardAtMs >= socketLimits.idleMs) connection.close('idle');
    else if (runningMs - connection.pingedAtMs >= socketLimits.pingIntervalMs) connection.ping();
    if (token === null) continue;
    if (!callers.isCurrent(token)) {
      connection.close('badToken');
    } else if (!connection.isWarned && token.expiresAtMs - nowMs <= socketLimits.expiryWarningMs) {
      connection.isWarned = true;
      connection.sendFrame({ frame: 'token_expiring', expires_at: isoTimeOf(token.expiresAtMs) });
    }
  }
  for (const keyText of keyTexts) {
    const identity = await callers.identify(keyText);
    if (identity.kind !== 'none') continue;
    for (const connection of connections.all()) if (connection.keyText === keyText) connection.close('badToken');
  }
}
