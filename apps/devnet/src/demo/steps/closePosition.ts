import { codePlaces } from '../codePlaces.ts';
import type { DemoPosition, Driver } from './driver.ts';

/** Lowest price at which the whole position may be sold: any. */
const minimumPricePips = 1n;

/** Asks for the whole position at any price. One that has ended meanwhile is left as it is. */
export async function askToClose({ api, printer }: Driver, { wallet, token, key }: DemoPosition): Promise<void> {
  const held = await api.positionOfKey(token, key);
  if (held === null || !('current' in held)) return;
  printer.step(`${wallet.name} asks to close`, codePlaces.keeperClose);
  await wallet.requestClose(key, BigInt(held.current.position_token_units), minimumPricePips);
}
