import { createHmac, randomBytes } from 'node:crypto';
import type { Bench, Row } from '../harness/row.ts';
import { type LoadedServer, observeServers, serverEffort, serverWork } from '../http/load.ts';
import { startServer } from '../http/serverProcess.ts';
import { issueTokens, openMarkets, requestBytes, startWorld, walletOf } from '../http/world.ts';

const walletCount = 500;
const floorName = 'Express, HMAC, same limiter, one prebuilt Buffer';
const path = '/v1/prediction-markets/markets?limit=25&expand=prices';

async function prepare(): Promise<Bench> {
  const world = await startWorld();
  const service = await startServer('service', world.setup);
  const tokens = await issueTokens(service, world, walletCount);
  await openMarkets(service, world);
  const headers = { authorization: `Bearer ${tokens[0]}` };
  const markets = await (await fetch(`http://127.0.0.1:${service.port}${path}`, { headers })).text();
  const secret = randomBytes(32).toString('hex');
  const floor = await startServer('floor', { ...world.setup, secret, markets });
  const own = tokens.map((token) =>
    requestBytes({ method: 'GET', path, headers: { authorization: `Bearer ${token}` } }),
  );
  const plain = tokens.map((_, index) => {
    const wallet = walletOf(index);
    const mac = createHmac('sha256', secret).update(wallet).digest('hex');
    return requestBytes({ method: 'GET', path: '/markets', headers: { authorization: `Bearer ${wallet}.${mac}` } });
  });
  const requestOf = (requests: readonly Buffer[]) => (index: number) =>
    requests[index % walletCount] ?? Buffer.alloc(0);
  const subject: LoadedServer = { name: 'GET /markets', server: service, requestOf: requestOf(own) };
  const bottom: LoadedServer = { name: floorName, server: floor, requestOf: requestOf(plain) };
  return {
    subject: serverWork(subject),
    others: [serverWork(bottom)],
    bars: [{ against: floorName, atLeast: 0.6 }],
    effort: serverEffort,
    observe: (rates) => observeServers({ subject, floor: bottom }, rates),
    close: async () => {
      await Promise.all([service.close(), floor.close()]);
      await world.close();
    },
  };
}

/** A page of 25 markets with live data. */
export const listMarkets: Row = { name: 'list-markets', work: 'GET /markets, 25 with prices', prepare };
