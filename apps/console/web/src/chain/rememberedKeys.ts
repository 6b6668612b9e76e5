import type { Hex } from './wallet.ts';

/** Owner of positions at one vault of one chain. */
export interface KeyOwner {
  readonly chainId: number;
  readonly vault: Hex;
  readonly address: Hex;
}

const storageKeyOf = ({ chainId, vault, address }: KeyOwner): string =>
  `positions ${chainId} ${vault} ${address}`.toLowerCase();

/** Return true for 32 bytes as hex with `0x`, such as a position key or the hash of a transaction. */
export const isBytes32 = (value: unknown): value is Hex =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value);

/** Return the position keys stored in this browser; none where it stores nothing or the text is damaged. */
export function rememberedKeysOf(owner: KeyOwner): readonly Hex[] {
  try {
    const keys: unknown = JSON.parse(localStorage.getItem(storageKeyOf(owner)) ?? '[]');
    return Array.isArray(keys) ? keys.filter(isBytes32) : [];
  } catch {
    return [];
  }
}

/** Store position keys in this browser, so that the exit page offers them before it has read any log. */
export function rememberKeys(owner: KeyOwner, keys: readonly Hex[]): void {
  const earlierKeys = rememberedKeysOf(owner);
  const all = [...new Set([...keys, ...earlierKeys])];
  if (all.length === earlierKeys.length) return;
  try {
    localStorage.setItem(storageKeyOf(owner), JSON.stringify(all));
  } catch {
    // A browser that stores nothing has the keys read from the chain each time.
  }
}
