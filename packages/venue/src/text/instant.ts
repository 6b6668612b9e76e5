const instantPattern = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/**
 * Epoch milliseconds of an instant as the venue writes it: ISO 8601, or with a blank for the T and a bare `+00`.
 * Without a zone it is UTC; without a time it is midnight. Null when it is neither.
 */
export function instantMsOf(text: string | null | undefined): number | null {
  const match = instantPattern.exec(text?.trim() ?? '');
  if (match === null) {
    return null;
  }
  const [, date, time = '00:00', zone = 'Z'] = match;
  const isoZone = zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
  const instantMs = Date.parse(`${date}T${time}${isoZone}`);
  return Number.isNaN(instantMs) ? null : instantMs;
}
