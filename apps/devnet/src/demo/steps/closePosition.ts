import { codePlaces } from '../codePlaces.ts';
import type { DemoPosition, Driver } from './driver.ts';

/** Minimum sale price of the whole position: no minimum. */
const minimumPricePips = 1n;

/** Request the sale of the whole position at any price. A finished position is left as it is. */
export async function askToClose({ api, printer }: Driver, { wallet, token, key }: DemoPosition): Promise<void> {
  const position = await api.positionOfKey(token, key);
  if (position === null || !('current' in position)) return;
  printer.step(`${wallet.name} requests a close`, codePlaces.keeperClose);
  await wallet.requestClose(key, BigInt(position.current.position_token_units), minimumPricePips);
}
