const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const parts = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  hour12: true,
});

/** Instant in the venue's home time zone. */
export interface EasternTime {
  readonly month: string;
  readonly day: string;
  readonly year: string;
  readonly hour: string;
  readonly minute: string;
  readonly half: 'AM' | 'PM';
}

export function easternTimeOf(atMs: number): EasternTime {
  const partByType = new Map(parts.formatToParts(atMs).map(({ type, value }) => [type, value]));
  const partOf = (type: Intl.DateTimeFormatPartTypes): string => partByType.get(type) ?? '';
  return {
    month: partOf('month'),
    day: partOf('day'),
    year: partOf('year'),
    hour: partOf('hour'),
    minute: partOf('minute'),
    half: partOf('dayPeriod') === 'AM' ? 'AM' : 'PM',
  };
}

const isNoon = (atMs: number): boolean => {
  const { hour, half } = easternTimeOf(atMs);
  return hour === '12' && half === 'PM';
};

/** Return the last noon of the venue's time zone not after `atMs`, at which daily markets end and begin. */
export function easternNoonBefore(atMs: number): number {
  let hour = Math.floor(atMs / hourMs) * hourMs;
  while (!isNoon(hour)) hour -= hourMs;
  return hour;
}

/** Return the noon after a noon, 23 to 25 hours later. */
export const easternNoonAfter = (noonMs: number): number => easternNoonBefore(noonMs + dayMs + 2 * hourMs);
