import { raw } from '@core/pricing';
import type { PositionRecord, PositionUnwindRecord } from '@core/store';
import type { UnwindReason, UnwindsWire } from '@core/wire';
import { isoTimeOf, nullableIsoTimeOf } from './isoTime.ts';

/** Most unwinds an answer lists. */
const maxListed = 100;

/** Sentences for display; programs read the reason. */
const sentences: Record<UnwindReason, string> = {
  spread_blowout: 'The spread blew out.',
  spread_spike: 'The spread widened suddenly.',
  spread_warning: 'The spread was wider than at entry.',
  depth_decay: 'The depth of the book decayed.',
  depth_drain: 'The depth of the book drained.',
  depth_entry_drain: 'The book was thinner than at entry.',
  price_drop_warning: 'The price fell.',
  price_drop_moderate: 'The price fell markedly.',
  price_drop_severe: 'The price fell severely.',
  price_drop_full_exit: 'The price fell so far that the whole debt was repaid.',
  activity_surge: 'Trading activity surged.',
  cancel_acceleration: 'Orders were withdrawn faster and faster.',
  large_holder: 'One account holds a large share of the token.',
  position_exposure: 'Positions on this side grew too large for the book.',
  last_trade_divergence: 'The last trade was far from the book.',
  crypto_move: 'The underlying asset moved.',
  game_start: 'The game was about to start.',
  lead_change: 'The lead changed.',
  post_hard_exit_losing: 'The time for debt was over while the side was losing.',
  stale_refresh: 'Data was silent or time had passed.',
  unknown: 'The reason is not known.',
};

/** The `unwinds` expansion: completed unwinds in order of time. */
export function presentUnwinds(position: PositionRecord, unwinds: readonly PositionUnwindRecord[]): UnwindsWire {
  return {
    current_leverage_bps: Number(raw(position.structuralLeverageBps)),
    origination_leverage_bps: Number(raw(position.leverageBps)),
    originated_at: nullableIsoTimeOf(position.openedAtMs),
    data: unwinds.slice(0, maxListed).map((unwind) => {
      const reason = reasonOf(unwind.reason);
      return {
        executed_at: isoTimeOf(unwind.executedAtMs),
        before_leverage_bps: Number(raw(unwind.beforeLeverageBps)),
        after_leverage_bps: Number(raw(unwind.afterLeverageBps)),
        reason,
        reason_detail: reason === null ? null : sentences[reason],
      };
    }),
    has_more: unwinds.length > maxListed,
  };
}

function reasonOf(stored: string | null): UnwindReason | null {
  if (stored === null) return null;
  return isReason(stored) ? stored : 'unknown';
}

function isReason(text: string): text is UnwindReason {
  return text in sentences;
}
