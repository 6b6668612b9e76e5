import type { MarketSnapshot } from '@core/market';
import { atPrices, firstRowFrom, type ObservedMarket } from '../market/observedMarket.ts';
import { momentBetween } from './fillTiming.ts';

/** Market as it is at each moment of a grant. */
export type Course = (atMs: number) => MarketSnapshot;

/** Courses by market and row: the positions of a market meet the same ones. */
const courses = new WeakMap<ObservedMarket, Map<number, Course>>();

/** Return the course of a market that stands still. */
export const stillCourse =
  (snapshot: MarketSnapshot): Course =>
  (atMs) => ({ ...snapshot, nowMs: atMs });

/**
 * Return the course of a market around a row that a decision has seen: its prices are on the line between rows, its
 * history is that of the last row, or of the one that was seen. In sport a move is one event, and the prices of a row
 * hold until the next one. Across a gap of the recording the last prices hold.
 */
export function courseAround(observed: ObservedMarket, rowIndex: number): Course {
  const ofMarket = courses.get(observed) ?? new Map<number, Course>();
  courses.set(observed, ofMarket);
  const course = ofMarket.get(rowIndex) ?? newCourse(observed, rowIndex);
  ofMarket.set(rowIndex, course);
  return course;
}

function newCourse(observed: ObservedMarket, rowIndex: number): Course {
  const snapshots = new Map<number, MarketSnapshot>();
  return (atMs) => {
    const snapshot = snapshots.get(atMs) ?? snapshotAt(observed, rowIndex, atMs);
    snapshots.set(atMs, snapshot);
    return snapshot;
  };
}

function snapshotAt(observed: ObservedMarket, rowIndex: number, atMs: number): MarketSnapshot {
  const { rows, market } = observed;
  const index = firstRowFrom(observed, atMs, Math.max(0, rowIndex - 1));
  const [from, to] = [rows[index - 1] ?? rows[index], rows[index] ?? rows.at(-1)];
  if (from === undefined || to === undefined) throw new Error('a market without rows has no course');
  if (to.row.atMs === atMs) return to.snapshot;
  const isSport = market.subject.kind === 'sport';
  const moment = isSport ? null : momentBetween(from, to, { atMs, isYes: true, isWholeMove: false });
  if (moment === null) return { ...from.snapshot, nowMs: atMs };
  return atPrices(observed, index > rowIndex ? from : to, moment);
}
