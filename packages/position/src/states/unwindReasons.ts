/** Inputs of the watch that move the covered value or the debt per token towards an unwind. */
export type UnwindInput =
  | 'spread'
  | 'depth'
  | 'price'
  | 'activity'
  | 'holders'
  | 'exposure'
  | 'last_trade'
  | 'variance'
  | 'jump'
  | 'hard_exit'
  | 'time'
  | 'none';

/**
 * The one table of unwind reasons: the input behind each, and the sentence a person reads. Programs read the reason
 * (specification, Position, `reason` values, in its order).
 */
export const unwindReasons = {
  spread_blowout: { input: 'spread', sentence: 'The spread blew out.' },
  spread_spike: { input: 'spread', sentence: 'The spread widened suddenly.' },
  spread_warning: { input: 'spread', sentence: 'The spread was wider than at entry.' },
  depth_decay: { input: 'depth', sentence: 'The depth of the book decayed.' },
  depth_drain: { input: 'depth', sentence: 'The depth of the book drained.' },
  depth_entry_drain: { input: 'depth', sentence: 'The book was thinner than at entry.' },
  price_drop_warning: { input: 'price', sentence: 'The price fell.' },
  price_drop_moderate: { input: 'price', sentence: 'The price fell markedly.' },
  price_drop_severe: { input: 'price', sentence: 'The price fell severely.' },
  price_drop_full_exit: { input: 'price', sentence: 'The price fell so far that the whole debt was repaid.' },
  activity_surge: { input: 'activity', sentence: 'Trading activity surged.' },
  cancel_acceleration: { input: 'activity', sentence: 'Orders were withdrawn faster and faster.' },
  large_holder: { input: 'holders', sentence: 'One account holds a large share of the token.' },
  position_exposure: { input: 'exposure', sentence: 'Positions on this side grew too large for the book.' },
  last_trade_divergence: { input: 'last_trade', sentence: 'The last trade was far from the book.' },
  crypto_move: { input: 'variance', sentence: 'The underlying asset moved.' },
  game_start: { input: 'jump', sentence: 'The game was about to start or had begun.' },
  lead_change: { input: 'jump', sentence: 'The lead changed.' },
  post_hard_exit_losing: { input: 'hard_exit', sentence: 'The time for debt was over while the side was losing.' },
  stale_refresh: { input: 'time', sentence: 'Data was silent or time had passed.' },
  unknown: { input: 'none', sentence: 'The reason is not known.' },
} as const satisfies Readonly<Record<string, { readonly input: UnwindInput; readonly sentence: string }>>;

export type UnwindReason = keyof typeof unwindReasons;

/** The reason a stored value names; a value of another release reads as `unknown`. */
export function unwindReasonOf(value: string): UnwindReason {
  return isUnwindReason(value) ? value : 'unknown';
}

function isUnwindReason(value: string): value is UnwindReason {
  return Object.hasOwn(unwindReasons, value);
}
