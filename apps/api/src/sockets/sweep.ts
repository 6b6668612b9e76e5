import type { Clock } from '@core/runtime';
import { isoTimeOf, socketLimits } from '@core/wire';
import type { CallerDirectory } from '../auth/callerDirectory.ts';
import { passes } from '../http/respond.ts';
import type { Connections } from './connections.ts';

/**
 * Check each connection for a sign of life, for answered pings, for a token that runs out or whose signing key was
 * withdrawn, and for a revoked API key. A key that cannot be checked keeps no other from being checked.
 * @throws the first failure to check a key, when all were tried; at once when the database is away.
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
    else if (connection.unreadForMs(runningMs) >= socketLimits.idleMs) connection.close('slowReader');
    else if (runningMs - connection.pingedAtMs >= socketLimits.pingIntervalMs) connection.ping();
    if (token === null) continue;
    if (!callers.isCurrent(token)) {
      connection.close('badToken');
    } else if (!connection.isWarned && token.expiresAtMs - nowMs <= socketLimits.expiryWarningMs) {
      connection.isWarned = true;
      connection.sendFrame({ frame: 'token_expiring', expires_at: isoTimeOf(token.expiresAtMs) });
    }
  }
  const failures: unknown[] = [];
  for (const keyText of keyTexts) {
    try {
      const identity = await callers.identify(keyText);
      if (identity.kind !== 'none') continue;
      for (const connection of connections.all()) if (connection.keyText === keyText) connection.close('badToken');
    } catch (cause) {
      if (passes(cause)) throw cause;
      failures.push(cause);
    }
  }
  if (failures.length > 0) throw failures[0];
}
