import { notify, startTestApi, wallets, writePosition, writtenPosition } from '@core/api/testing';
import { Lev, type LevUser } from '../src/index.ts';
import { startCuttingProxy } from './cuttingProxy.ts';

/** Build a fixed stream of pseudo-random numbers below one. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Numbers of the events that a stream received, and the number of events written. */
export interface CutStream {
  readonly cutCount: number;
  readonly writtenCount: number;
  readonly received: readonly number[];
}

/** Read a user's stream through a number of cut connections, without waiting between attempts. */
export async function readThroughCuts(cutsWanted: number): Promise<CutStream> {
  const api = await startTestApi({ isEveryHandshakeTaken: true });
  const random = randomOf(11);
  const port = Number(new URL(api.api.url).port);
  const proxy = await startCuttingProxy(port, () => 150 + Math.floor(random() * 12_000));
  const sleep = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 1));
  const lev = new Lev({ baseUrl: api.api.url, apiKey: api.partners[0]?.apiKey ?? '' });
  const cut = new Lev({ baseUrl: proxy.url, surroundings: { sleep } });
  const user: LevUser = cut.asUser(() => lev.tokens.create({ wallet_address: wallets.alice }));
  const [market] = await api.store.markets.changedSince(0n);
  if (market === undefined) throw new Error('markets are listed');
  const partnerId = api.partners[0]?.record.id ?? '';
  const written = writtenPosition({ number: 1, partnerId, walletAddress: wallets.alice, market, status: 'open' });
  await writePosition(api.store, written, 'position.created');
  const controller = new AbortController();
  let writtenCount = 0;
  const write = async (): Promise<void> => {
    while (proxy.cutCount() < cutsWanted) {
      writtenCount += 1;
      const params = { attempt: writtenCount, max_attempts: writtenCount };
      await notify(api.store, written, { code: 'ORDER_FULFILLMENT_RETRYING', ...params });
    }
    proxy.stopCutting();
    await notify(api.store, written, { code: 'ORDER_FULFILLMENT_FAILED', reason: 'order_not_filled' });
  };
  const received: number[] = [];
  const readEvents = async (): Promise<void> => {
    for await (const event of user.events.stream({ signal: controller.signal })) {
      if (event.type === 'gap') throw new Error(`a gap: ${event.reason}`);
      if (event.type !== 'notification') continue;
      if (event.data.code === 'ORDER_FULFILLMENT_FAILED') return;
      if (event.data.code === 'ORDER_FULFILLMENT_RETRYING') received.push(event.data.params.attempt);
    }
  };
  // The reader is connected before the first event that counts: its snapshot marks the start.
  await Promise.all([readEvents(), write()]);
  controller.abort();
  const cutCount = proxy.cutCount();
  await proxy.close();
  await api.close();
  return { cutCount, writtenCount, received };
}

/** Return every event from the first received to the last written, each once and in order. */
export function expectedNumbers({ received, writtenCount }: CutStream): readonly number[] {
  const first = received[0] ?? 0;
  return Array.from({ length: writtenCount - first + 1 }, (_, index) => first + index);
}
