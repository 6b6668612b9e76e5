import type { DayRow } from '../days/measureDay.ts';
import type { DayName } from '../days/worstDays.ts';
import type { FaultName } from '../faults/faults.ts';
import type { FillRow } from '../fills/fillRows.ts';
import type { MeasuredMoney } from '../fills/measureFills.ts';
import type { WorldSettings } from '../world/startWorld.ts';

export const scenarioNames = ['lives', 'fills', 'days'] as const;

/** Everything that decides a world: two runs of one request are equal. */
export interface WorldRequest extends WorldSettings {
  readonly seed: number;
  /** Three lives of positions, a measurement of fills, or a worst day. */
  readonly scenario: (typeof scenarioNames)[number];
  /** Positions in each market of a measurement. */
  readonly users: number;
  readonly faults: readonly FaultName[];
  /** Worst day; none in the other scenarios. */
  readonly day?: DayName;
}

/** A request with what its process needs besides. */
export interface WorldOrder extends WorldRequest {
  /** Migrated database of a real server, which no other world uses. */
  readonly databaseUrl: string;
  /** For files of programs. */
  readonly folder: string;
}

/** Outcome of one world. */
export interface WorldReport {
  readonly request: WorldRequest;
  /** SHA-256 of the trace: every message with its virtual time, and every line of the outcome. */
  readonly digest: string;
  /** Reason why the world ended early; null when it came to its end. */
  readonly failure: string | null;
  /** Lines of the outcome, each with its virtual seconds. */
  readonly lines: readonly string[];
  readonly trace: readonly string[];
  /** Rows of a measurement of fills; none of another scenario. */
  readonly fills: readonly FillRow[];
  /** Money before and after a measurement of fills; null of another scenario. */
  readonly money: MeasuredMoney | null;
  /** Row of a worst day; null of another scenario. */
  readonly day: DayRow | null;
  readonly counts: Readonly<Record<string, number>>;
  readonly virtualSeconds: number;
  readonly processorSeconds: number;
}
