/** 0x-prefixed hexadecimal. */
export type Hex = `0x${string}`;

/** Return an address, a hash or a key as records hold it: in lower case. */
export function lowerHex(value: Hex): Hex {
  return `0x${value.slice(2).toLowerCase()}`;
}
