/** Days as a setting names them, in the order of their numbers in a UTC date. */
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** A restart of the venue that is known in advance: every week at a local time, or once. */
export type PlannedRestart =
  | {
      readonly kind: 'weekly';
      /** 0 is Sunday. */
      readonly weekday: number;
      /** Minutes after midnight, local time. */
      readonly minute: number;
      readonly timeZone: string;
    }
  | { readonly kind: 'once'; readonly atMs: number };

/** Time before a restart in which nothing opens: the life of an order and twice the longest usual forced sale. */
const leadMs = 300_000;
/** Time after the start of a restart in which nothing opens: restart, post-only minutes and as much for delays. */
const durationMs = 420_000;
const dayMs = 86_400_000;

/** The part of a formatted instant with a name, as a number. */
const partOf = (parts: readonly Intl.DateTimeFormatPart[], type: Intl.DateTimeFormatPartTypes): number =>
  Number(parts.find((part) => part.type === type)?.value);

/** Milliseconds from UTC to the local time of a zone, at an instant. */
function zoneShiftMs(timeZone: string, atMs: number): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = format.formatToParts(atMs);
  const [year, month, day] = [partOf(parts, 'year'), partOf(parts, 'month'), partOf(parts, 'day')];
  const [hour, minute, second] = [partOf(parts, 'hour'), partOf(parts, 'minute'), partOf(parts, 'second')];
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1_000) * 1_000;
}

/** Instants of a restart from a day before to a day after an instant. */
function restartsAround(restart: PlannedRestart, nowMs: number): readonly number[] {
  if (restart.kind === 'once') return [restart.atMs];
  const { weekday, minute, timeZone } = restart;
  return [-1, 0, 1].flatMap((days) => {
    const shiftMs = zoneShiftMs(timeZone, nowMs + days * dayMs);
    const localMs = nowMs + days * dayMs + shiftMs;
    if (new Date(localMs).getUTCDay() !== weekday) return [];
    const midnightMs = Math.floor(localMs / dayMs) * dayMs;
    return [midnightMs + minute * 60_000 - shiftMs];
  });
}

/**
 * Return the time for which nothing is to be opened because of planned restarts, milliseconds; 0 outside of their
 * windows. From its first refusal to the end of its post-only minutes the venue takes no sale.
 *
 * @param restarts Restarts that are known.
 * @param nowMs Epoch milliseconds.
 */
export function restartPauseMsOf(restarts: readonly PlannedRestart[], nowMs: number): number {
  const ends = restarts
    .flatMap((restart) => restartsAround(restart, nowMs))
    .filter((atMs) => nowMs >= atMs - leadMs && nowMs < atMs + durationMs)
    .map((atMs) => atMs + durationMs - nowMs);
  return Math.max(0, ...ends);
}

const weeklyPattern = /^(Sun|Mon|Tue|Wed|Thu|Fri|Sat) ([01]\d|2[0-3]):([0-5]\d) ([A-Za-z_]+(?:\/[A-Za-z_+-]+)*)$/;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (cause) {
    if (cause instanceof RangeError) return false;
    throw cause;
  }
}

/** Return the restart that a text names, `Tue 07:00 America/New_York` or an ISO instant; undefined for another text. */
export function plannedRestartOf(text: string): PlannedRestart | undefined {
  const [, day, hour, minute, timeZone] = weeklyPattern.exec(text) ?? [];
  if (timeZone !== undefined) {
    const weekday = weekdays.findIndex((name) => name === day);
    return isTimeZone(timeZone)
      ? { kind: 'weekly', weekday, minute: Number(hour) * 60 + Number(minute), timeZone }
      : undefined;
  }
  const atMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : { kind: 'once', atMs };
}
