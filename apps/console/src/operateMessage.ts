import type { ApiFacts, PartnerFacts, TaskFacts } from './operateSchemas.ts';

export type { ApiFacts, ExitFacts, KeeperFacts, PartnerFacts, TaskFacts } from './operateSchemas.ts';

/** Metrics of the keeper; null for one that is missing. */
export interface KeeperFigures {
  readonly headAgeSeconds: number | null;
  readonly nonceAgeSeconds: number | null;
  readonly venueRefusals: number | null;
  readonly failingPositions: number | null;
  readonly followedDebts: number | null;
  readonly dueDebts: number | null;
  readonly dueLiquidations: number | null;
  readonly dueHardExits: number | null;
  readonly dueUnwinds: number | null;
  readonly unwindAlerts: number | null;
  readonly unknownQuotes: number | null;
  readonly unlistedPositions: number | null;
  readonly indexedBlock: number | null;
}

/** Metrics of a filler; null for one that is missing. */
export interface FillerFigures {
  readonly usdcUnits: number | null;
  readonly unsoldUsdcUnits: number | null;
  readonly differenceUsdcUnits: number | null;
  readonly liveGrants: number | null;
  readonly unfinished: number | null;
  readonly isStopped: boolean;
}

export interface FillerFacts {
  /** Host and port of its metrics. */
  readonly name: string;
  /** Null for a filler that does not respond. */
  readonly figures: FillerFigures | null;
}

/** Alert of the catalogue with its state: `unknown` where the console has read no metrics of its program. */
export interface AlertFacts {
  readonly name: string;
  readonly severity: 'page' | 'ticket';
  readonly summary: string;
  /** Duration for which its condition must be true. */
  readonly forMinutes: number;
  /** Path of its page of the runbook, from the root of the repository. */
  readonly runbook: string;
  readonly state: 'firing' | 'pending' | 'quiet' | 'unknown';
  /** Time since which its condition is true, as far as the console has read; null while it is not. */
  readonly sinceMs: number | null;
}

/** Facts by endpoint. */
export interface OperateFacts {
  readonly api: ApiFacts;
  readonly partners: readonly PartnerFacts[];
  readonly tasks: readonly TaskFacts[];
  readonly figures: KeeperFigures;
  readonly fillers: readonly FillerFacts[];
  readonly alerts: readonly AlertFacts[];
}

/** Last facts of an endpoint, null before the first response, and the error since then. */
export interface Reading<Facts> {
  readonly facts: Facts | null;
  readonly error: string | null;
}

export type OperateReadings = { readonly [Name in keyof OperateFacts]: Reading<OperateFacts[Name]> };

const unread = { facts: null, error: null } as const;

/** Readings before the first response of any endpoint. */
export const noReadings: OperateReadings = {
  api: unread,
  partners: unread,
  tasks: unread,
  figures: unread,
  fillers: unread,
  alerts: unread,
};

/** Figures of one moment, of which the last hour is shown. */
export type HistoryPoint = Pick<KeeperFigures, 'headAgeSeconds' | 'nonceAgeSeconds' | 'venueRefusals'> & {
  readonly atMs: number;
};

/** Message of the stream. The first one has every reading and the last hour, a later one what has changed. */
export interface OperateMessage {
  readonly isFirst: boolean;
  readonly readings: Partial<OperateReadings>;
  readonly points: readonly HistoryPoint[];
}

/** Interval between reads of a program, and so the longest silence of a stream whose programs respond. */
export const operateIntervalMs = 2_000;

/** Upper bound of history points: an hour, one every five seconds. */
export const maxPoints = 720;
