import { type CryptoFacts, type MarketSnapshot, type SportFacts, typicalGameSeconds } from '@core/market';
import type { PolicyConfig, PriceBand } from '../config.ts';

/** Phase of a market's life, and the numbers of the risk table that hold there. */
export interface RiskPhase {
  readonly kind: 'crypto' | 'pregame' | 'in_play';
  /** Time over which the outcome will be decided; at least one second. */
  readonly leftSeconds: bigint;
  readonly jumpBps: bigint;
  /** Zero before a game: nothing happens to the odds that the jump does not cover. */
  readonly shockMultiplierBps: bigint;
  /** From here on nothing opens. */
  readonly latestEntryAtMs: number;
  /** From here on no debt is kept. */
  readonly hardExitAtMs: number;
  /** Time at which the odds jump: the resolution, or before a game its start. */
  readonly jumpAtMs: number;
  readonly priceBand: PriceBand;
  /** Share of the game that is over, in 1/10000; null outside a game. */
  readonly elapsedBps: number | null;
  /** False for what may be listed but never entered in this phase. */
  readonly isEntryAllowed: boolean;
}

/** The phase of a market, or null when its category is unsupported or its times are unknown. */
export function riskPhaseOf(snapshot: MarketSnapshot, config: PolicyConfig): RiskPhase | null {
  const { subject } = snapshot.facts;
  if (subject === null) return null;
  return subject.kind === 'crypto' ? cryptoPhaseOf(snapshot, subject, config) : sportPhaseOf(snapshot, subject, config);
}

/** `market.latest_enter_at` of the specification; null when it cannot be known. */
export function latestEntryAtMsOf(snapshot: MarketSnapshot, config: PolicyConfig): number | null {
  return riskPhaseOf(snapshot, config)?.latestEntryAtMs ?? null;
}

function cryptoPhaseOf(snapshot: MarketSnapshot, subject: CryptoFacts, config: PolicyConfig): RiskPhase | null {
  const { closeAtMs } = snapshot.facts;
  if (closeAtMs === null) return null;
  // A cadence without a row is never entered; the hourly limits still bound what is shown of it.
  const row = config.crypto[subject.cadence];
  const limits = row ?? config.crypto.hourly;
  if (limits === null) return null;
  return {
    kind: 'crypto',
    leftSeconds: leftSecondsOf(subject, closeAtMs - snapshot.nowMs),
    jumpBps: limits.jumpBps,
    shockMultiplierBps: config.model.shockMultiplierBps,
    latestEntryAtMs: closeAtMs - limits.latestEntrySeconds * 1_000,
    hardExitAtMs: closeAtMs - limits.hardExitSeconds * 1_000,
    jumpAtMs: closeAtMs,
    priceBand: limits.priceBand,
    elapsedBps: null,
    isEntryAllowed: row !== null,
  };
}

/** Span that an average at the end of a market covers, seconds. */
const averagedSeconds = 60;

/**
 * Return the time over which a spot price that moves evenly has the variance of the settlement price. An average of the
 * last minute counts as 40 s less before that minute, and as a third of the cube inside it.
 */
function leftSecondsOf({ settlement }: CryptoFacts, leftMs: number): bigint {
  if (settlement !== 'averaged_ends') return secondsOf(leftMs, 1);
  const seconds = leftMs / 1_000;
  const equivalent = seconds >= averagedSeconds ? seconds - 40 : seconds ** 3 / (3 * averagedSeconds ** 2);
  return secondsOf(equivalent * 1_000, 1);
}

function sportPhaseOf(snapshot: MarketSnapshot, subject: SportFacts, config: PolicyConfig): RiskPhase {
  const { sport } = config;
  const row = sport.rows[subject.sport];
  const isInPlay = snapshot.nowMs >= subject.gameStartAtMs || snapshot.reference?.isLive === true;
  if (!isInPlay) {
    return {
      kind: 'pregame',
      leftSeconds: secondsOf(subject.gameStartAtMs - snapshot.nowMs, 1),
      jumpBps: sport.pregameJumpBps,
      shockMultiplierBps: 0n,
      latestEntryAtMs: subject.gameStartAtMs - sport.pregameLatestEntrySeconds * 1_000,
      hardExitAtMs: subject.gameStartAtMs - sport.pregameHardExitSeconds * 1_000,
      jumpAtMs: subject.gameStartAtMs,
      priceBand: sport.pregamePriceBand,
      elapsedBps: null,
      isEntryAllowed: row.isPregameEntryAllowed,
    };
  }
  // The score feed has the elapsed share of the game; without one the schedule replaces it.
  const lengthMs = typicalGameSeconds[subject.sport] * 1_000;
  const scheduledBps = Math.floor(((snapshot.nowMs - subject.gameStartAtMs) * 10_000) / lengthMs);
  const elapsedBps = Math.max(
    0,
    snapshot.reference?.isEnded === true ? 10_000 : (snapshot.reference?.elapsedBps ?? scheduledBps),
  );
  // Counted back from what is over, so that a delayed start moves both deadlines with it.
  const startedAtMs = snapshot.nowMs - (elapsedBps * lengthMs) / 10_000;
  return {
    kind: 'in_play',
    leftSeconds: secondsOf(lengthMs - (elapsedBps * lengthMs) / 10_000, sport.minLeftSeconds),
    jumpBps: row.jumpBps,
    shockMultiplierBps: config.model.shockMultiplierBps,
    latestEntryAtMs: Math.floor(startedAtMs + (sport.latestEntryElapsedBps * lengthMs) / 10_000),
    hardExitAtMs: Math.floor(startedAtMs + (sport.hardExitElapsedBps * lengthMs) / 10_000),
    jumpAtMs: Math.floor(startedAtMs + lengthMs),
    priceBand: sport.inPlayPriceBand,
    elapsedBps,
    // A game that begins before its time is entered at its time: until then no debt shows whether it was there before
    // the game, and such a debt has to go.
    isEntryAllowed: row.inPlayLines.includes(subject.line) && snapshot.nowMs >= subject.gameStartAtMs,
  };
}

function secondsOf(durationMs: number, minimumSeconds: number): bigint {
  return BigInt(Math.max(minimumSeconds, Math.floor(durationMs / 1_000)));
}
