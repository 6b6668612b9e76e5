/** Date and time to the second, fraction, and an offset of hours, minutes and seconds, which all servers can send. */
const isoText = /^(\d{4,6})-(\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/;

/**
 * Return epoch milliseconds of a `timestamptz` as the server writes it in the date style ISO, in any time zone:
 * `2026-11-26 18:00:00.5+05:30`. Fractions of a millisecond are dropped.
 * @throws RangeError for text without an offset or in another date style, for `infinity`, and for a year before Christ.
 */
export function instantOf(text: string): number {
  // Sessions are in UTC: that text needs no arithmetic.
  if (text.endsWith('+00') && text.length >= shortestUtc && text[dateLength] === ' ') {
    return known(text, Date.parse(`${text.slice(0, dateLength)}T${text.slice(dateLength + 1, -3)}Z`));
  }
  const [, year = '', day, time, fraction = '', sign, ...offset] = isoText.exec(text) ?? [];
  const [hours = 0, minutes = 0, seconds = 0] = offset.map((part) => Number(part ?? 0));
  const offsetMs = (hours * 3_600 + minutes * 60 + seconds) * 1_000;
  const localMs = Date.parse(`+${year.padStart(6, '0')}-${day}T${time}${fraction}Z`);
  return known(text, sign === '-' ? localMs + offsetMs : localMs - offsetMs);
}

const dateLength = 'yyyy-mm-dd'.length;
const shortestUtc = 'yyyy-mm-dd hh:mm:ss+00'.length;

function known(text: string, ms: number): number {
  if (Number.isNaN(ms)) throw new RangeError(`not an instant with a time zone: ${text}`);
  return ms;
}
