import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * True when the `Authorization` header carries the secret. Both sides are hashed first, so that the comparison takes
 * the same time whatever the length and content of what was sent.
 */
export function isAuthorized(header: string | undefined, bearerSecret: string): boolean {
  return timingSafeEqual(digestOf(header ?? ''), digestOf(`Bearer ${bearerSecret}`));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
