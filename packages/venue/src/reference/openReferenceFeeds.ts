import type { Clock } from '@core/runtime';
import { defaultCryptoAssets } from '../market/cryptoAsset.ts';
import type { ReferenceSource } from '../profile/profileSettings.ts';
import { HttpReferenceFeeds } from './httpReferenceFeeds.ts';
import type { ReferenceFeeds } from './referenceFeeds.ts';
import { SocketReferenceFeeds } from './socketReferenceFeeds.ts';

/**
 * Open the spot prices and game states that the settings select: one HTTP origin, or the sockets of the venue and of
 * two exchanges.
 *
 * @param source Origin or sockets.
 * @param options.onLost Called with the name of a feed that failed or was lost. Its last readings stay and age.
 */
export function openReferenceFeeds(
  source: ReferenceSource,
  { clock, onLost }: { readonly clock: Clock; readonly onLost?: (feed: string, cause?: unknown) => void },
): ReferenceFeeds {
  if (source.kind === 'http') {
    return new HttpReferenceFeeds({ url: source.url, clock, ...(onLost === undefined ? {} : { onFault: onLost }) });
  }
  const assets = Object.keys(defaultCryptoAssets);
  return new SocketReferenceFeeds({
    sockets: source.sockets,
    assets,
    clock,
    ...(onLost === undefined ? {} : { onLost }),
  });
}
