/**
 * Small seeded randomness: every stream is named by a text that starts with the seed, so the same seed gives the same
 * world whatever order its parts run in. Not for secrets.
 */
export interface RandomStream {
  /** Uniform in [0, 1). */
  unit(): number;
  /** Standard normal. */
  normal(): number;
  /** Whole number in [0, below). */
  integer(below: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
}

/** Return the 32-bit FNV-1a of a text, finished with a murmur-style mix. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Return a uniform number in [0, 1) that depends on the text alone. */
export const unitOf = (text: string): number => hash32(text) / 4_294_967_296;

/** Create the stream of a name; equal names give equal numbers. */
export function randomStream(name: string): RandomStream {
  let a = hash32(`${name}/a`);
  let b = hash32(`${name}/b`);
  let c = hash32(`${name}/c`);
  let counter = 1;
  const next = (): number => {
    const mixed = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + mixed;
    return mixed >>> 0;
  };
  // The first numbers still show the seed's pattern.
  for (let round = 0; round < 12; round += 1) next();
  const unit = (): number => next() / 4_294_967_296;
  let spare: number | null = null;
  const normal = (): number => {
    if (spare !== null) {
      const reserve = spare;
      spare = null;
      return reserve;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - unit()));
    const angle = 2 * Math.PI * unit();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
  const integer = (below: number): number => Math.floor(unit() * below);
  return { unit, normal, integer, pick: (items) => items[integer(items.length)] ?? items[0] };
}
