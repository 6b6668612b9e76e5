/** Key of a position: 32 bytes, of which the first 16 are its trace's id. */
const keyPattern = /^0x([0-9a-f]{32})[0-9a-f]{32}$/i;

/**
 * Return the id of the trace of a position: the first 16 bytes of its key, which is a hash. Every program
 * derives it, also after a restart. Null for any other text.
 */
export function positionTraceIdOf(text: string): string | null {
  return keyPattern.exec(text)?.[1]?.toLowerCase() ?? null;
}
