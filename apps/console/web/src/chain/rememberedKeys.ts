import { storedValueOf, textsIn } from '../browserStorage.ts';
import type { Hex } from './wallet.ts';

/** Owner of positions at one vault of one chain. */
export interface KeyOwner {
  readonly chainId: number;
  readonly vault: Hex;
  readonly address: Hex;
}

const storageNameOf = ({ chainId, vault, address }: KeyOwner): string =>
  `positions ${chainId} ${vault} ${address}`.toLowerCase();

/** Return true for 32 bytes as hex with `0x`, such as a position key or the hash of a transaction. */
export const isBytes32 = (value: unknown): value is Hex =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value);

const storedKeysOf = (owner: KeyOwner) =>
  storedValueOf({
    area: 'localStorage',
    name: storageNameOf(owner),
    parse: (json): readonly Hex[] | null => textsIn(json)?.filter(isBytes32) ?? null,
  });

/** Return the position keys stored in this browser. */
export const rememberedKeysOf = (owner: KeyOwner): readonly Hex[] => storedKeysOf(owner).read() ?? [];

/** Store position keys in this browser, so that the exit page offers them before it has read any log. */
export function rememberKeys(owner: KeyOwner, keys: readonly Hex[]): void {
  const earlierKeys = rememberedKeysOf(owner);
  const all = [...new Set([...keys, ...earlierKeys])];
  if (all.length > earlierKeys.length) storedKeysOf(owner).write(all);
}
