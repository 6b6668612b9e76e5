import { setTimeout as delay } from 'node:timers/promises';
import type { PositionWire } from '@core/wire';
import { codePlaces } from '../codePlaces.ts';
import type { DemoPosition, Driver } from './driver.ts';

const patienceMs = 60_000;
const pollMs = 1_000;

/** Return the position once a sale repaid its debt or it has ended. @throws Error when no debt was repaid in time. */
export async function untilUnwound({ api }: Driver, { token, key }: DemoPosition): Promise<PositionWire> {
  const startMs = Date.now();
  for (;;) {
    const position = await api.positionOfKey(token, key);
    const isUnwound = position?.status === 'open' && (position.unwinds?.data.length ?? 0) > 0;
    if (isUnwound || (position !== null && !('current' in position))) return position;
    if (Date.now() - startMs > patienceMs) throw new Error('no debt was repaid');
    await delay(pollMs);
  }
}

/** Print each repayment with its reason. */
export function printUnwinds({ printer }: Driver, { unwinds }: PositionWire): void {
  printer.step('The keeper repays the debt by selling tokens', codePlaces.unwindReason);
  for (const unwind of unwinds?.data ?? []) {
    const [before, after] = [unwind.before_leverage_bps / 10_000, unwind.after_leverage_bps / 10_000];
    printer.line(
      `${unwind.executed_at}   ${before}x → ${after}x   ${unwind.reason ?? '-'}: ${unwind.reason_detail ?? ''}`,
    );
  }
}
