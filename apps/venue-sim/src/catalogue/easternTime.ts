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

/** An instant as the venue's home time zone writes it. */
export interface EasternTime {
  readonly month: string;
  readonly day: string;
  readonly year: string;
  readonly hour: string;
  readonly minute: string;
  readonly half: 'AM' | 'PM';
}

export function easternTimeOf(atMs: number): EasternTime {
  const found = new Map(parts.formatToParts(atMs).map(({ type, value }) => [type, value]));
  const read = (type: Intl.DateTimeFormatPartTypes): string => found.get(type) ?? '';
  return {
    month: read('month'),
    day: read('day'),
    year: read('year'),
    hour: read('hour'),
    minute: read('minute'),
    half: read('dayPeriod') === 'AM' ? 'AM' : 'PM',
  };
}

const isNoon = (atMs: number): boolean => {
  const { hour, half } = easternTimeOf(atMs);
  return hour === '12' && half === 'PM';
};

/** The last noon of the venue's home time zone that is not after `atMs`: daily markets end and begin then. */
export function easternNoonBefore(atMs: number): number {
  let hour = Math.floor(atMs / hourMs) * hourMs;
  while (!isNoon(hour)) hour -= hourMs;
  return hour;
}

/** The noon after a noon: 23 to 25 hours later. */
export const easternNoonAfter = (noonMs: number): number => easternNoonBefore(noonMs + dayMs + 2 * hourMs);
