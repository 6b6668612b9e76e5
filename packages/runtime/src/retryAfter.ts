/**
 * Return the wait of a `Retry-After` header in milliseconds: whole or fractional seconds, or an HTTP date; null without
 * one. Rounded up, and unbounded: the caller bounds what a server may request.
 * @param nowMs Wall-clock milliseconds: header dates are instants of the server's machine.
 */
export function retryAfterMsOf(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Math.ceil(Number(header) * 1_000);
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
