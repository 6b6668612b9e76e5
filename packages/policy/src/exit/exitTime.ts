import type { MarketCategory } from '@core/market';
import type { PolicyConfig } from '../config.ts';

/** Forced sales of one category in the window: how many, and the 95th percentile of trigger → settled sale. */
export interface MeasuredExits {
  readonly saleCount: number;
  /** Null without sales. */
  readonly p95Ms: number | null;
}

/** The exit time that quotes of a category rest on, and since when. */
export interface ExitTime {
  readonly exitSeconds: number;
  /** Time of the last change, epoch milliseconds. */
  readonly changedAtMs: number;
}

/** The exit time that a policy reckons with, in whole seconds; that of a quote, where one is given. */
export function exitSecondsOf({ model }: PolicyConfig, quoted: { readonly exitSeconds: number } | null = null): number {
  return quoted?.exitSeconds ?? Number(model.exitSeconds);
}

/** s: the measured exit time, or what is assumed while too few sales were seen (risk policy, R2). Milliseconds. */
export function exitMsOf({ saleCount, p95Ms }: MeasuredExits, { exit }: PolicyConfig): number {
  if (saleCount === 0 || p95Ms === null) return exit.assumedMs.none;
  return saleCount < exit.minimumSaleCount ? exit.assumedMs.some : p95Ms;
}

/**
 * The exit time of a category after another measurement: up at once, down by one step an interval, never outside its
 * bounds; the model's own until enough sales were seen. With `isOpen` false the category takes no quotes: leverage
 * falls before that, because the exit time reaches its maximum later than s its own.
 */
export function decideExitTime(
  before: ExitTime | null,
  measured: MeasuredExits,
  {
    category,
    nowMs,
    config,
  }: { readonly category: MarketCategory; readonly nowMs: number; readonly config: PolicyConfig },
): ExitTime & { readonly isOpen: boolean } {
  const { exit } = config;
  const isOpen = exitMsOf(measured, config) <= exit.maxExitMs;
  const target = targetSecondsOf(measured, category, config);
  const current = exitSecondsOf(config, before);
  const changedAtMs = before?.changedAtMs ?? nowMs;
  if (target > current) return { exitSeconds: target, changedAtMs: nowMs, isOpen };
  const isHeld = target === current || nowMs - changedAtMs < exit.loweringIntervalMs;
  if (isHeld) return { exitSeconds: current, changedAtMs, isOpen };
  return { exitSeconds: Math.max(target, current - exit.stepSeconds), changedAtMs: nowMs, isOpen };
}

/** Rounded up to the step. */
function targetSecondsOf({ saleCount, p95Ms }: MeasuredExits, category: MarketCategory, config: PolicyConfig): number {
  const { minimumSaleCount, multiple, addedSeconds, minimumSeconds, maximumSeconds, stepSeconds } = config.exit;
  const floor = category === 'unsupported' ? 0 : minimumSeconds[category];
  const isMeasured = saleCount >= minimumSaleCount && p95Ms !== null;
  const wantedMs = isMeasured ? multiple * p95Ms + addedSeconds * 1_000 : exitSecondsOf(config) * 1_000;
  const stepped = Math.ceil(wantedMs / (stepSeconds * 1_000)) * stepSeconds;
  return Math.min(maximumSeconds, Math.max(floor, stepped));
}

/** The policy as it is for quotes, or for the debt of one position, of an exit time. */
export function policyAtExit(config: PolicyConfig, exitSeconds: number): PolicyConfig {
  if (exitSecondsOf(config) === exitSeconds) return config;
  return { ...config, model: { ...config.model, exitSeconds: BigInt(exitSeconds) } };
}
