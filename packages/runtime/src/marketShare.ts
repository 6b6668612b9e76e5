/**
 * Keepers divide the markets among themselves by shares: as many as let three or four keepers hold about the same, and
 * few enough that their locks cost nothing.
 */
export const marketShareCount = 8;

/** Every share, in order. */
export const marketShares: readonly number[] = Array.from({ length: marketShareCount }, (_, share) => share);

/**
 * The share that a market belongs to, from its ID alone (FNV-1a, 32 bits): every keeper and every API process of any
 * version comes to the same one.
 */
export function marketShareOf(marketId: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < marketId.length; index += 1) {
    hash = Math.imul(hash ^ marketId.charCodeAt(index), 0x01000193) >>> 0;
  }
  // The low bits of the last characters alone would decide without what the high bits gathered.
  return ((hash ^ (hash >>> 16)) >>> 0) % marketShareCount;
}
