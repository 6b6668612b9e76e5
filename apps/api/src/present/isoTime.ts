/** Epoch milliseconds as ISO 8601 in UTC. */
export function isoTimeOf(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** The same, null staying null. */
export function nullableIsoTimeOf(epochMs: number | null): string | null {
  return epochMs === null ? null : isoTimeOf(epochMs);
}
