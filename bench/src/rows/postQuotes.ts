import { createHmac, randomBytes } from 'node:crypto';
import { basePath } from '@core/wire';
import type { Bench, Row } from '../harness/row.ts';
import { type LoadedServer, observeOverload, observeServers, serverEffort, serverWork } from '../http/load.ts';
import { type ServerProcess, startServer } from '../http/serverProcess.ts';
import {
  issueTokens,
  type OpenMarket,
  openMarkets,
  quoteBodyOf,
  quoteRequestBytes,
  requestBytes,
  startWorld,
  walletOf,
} from '../http/world.ts';

const walletCount = 2_000;
const floorName = 'Express, HMAC, same statement, native signature';
const naiveName = 'naive: interactive transaction, viem, jose';

/** Return the length of a quote as the service answers it. */
async function quoteLengthOf({ port }: ServerProcess, token: string, market: OpenMarket): Promise<number> {
  const sample = await fetch(`http://127.0.0.1:${port}${basePath}/quotes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(quoteBodyOf(market)),
  });
  if (sample.status !== 201) throw new Error(`no sample quote: ${await sample.text()}`);
  return (await sample.text()).length;
}

/** Prepare the row. Markets are listed again during the load: prices move, and a market may stop accepting. */
async function prepare(isHot: boolean): Promise<Bench> {
  const world = await startWorld();
  const service = await startServer('service', world.setup);
  const tokens = await issueTokens(service, world, walletCount);
  let open: readonly OpenMarket[] = await openMarkets(service, world);
  const look = async (): Promise<void> => {
    open = await openMarkets(service, world);
  };
  // A listing in progress fails when the service closes, without effect.
  const looking = setInterval(() => void look().catch(() => undefined), 5_000);
  const marketOf = (index: number): OpenMarket => {
    const market = open[isHot ? 0 : (index * 7) % open.length];
    if (market === undefined) throw new Error('no market is open');
    return market;
  };
  const tokenOf = (index: number): string => tokens[index % walletCount] ?? '';
  const secret = randomBytes(32).toString('hex');
  const setup = {
    ...world.setup,
    secret,
    partnerId: world.partnerId,
    quoteLength: (await quoteLengthOf(service, tokenOf(0), marketOf(0))) - 160,
  };
  const [floor, naive] = [await startServer('floor', setup), await startServer('naive', setup)];
  const macs = tokens.map((_, index) => createHmac('sha256', secret).update(walletOf(index)).digest('hex'));
  const plainRequestOf = (index: number): Buffer => {
    const wallet = index % walletCount;
    const headers = { authorization: `Bearer ${walletOf(wallet)}.${macs[wallet]}` };
    return requestBytes({ method: 'POST', path: '/quotes', headers, body: quoteBodyOf(marketOf(index)) });
  };
  const subject: LoadedServer = {
    name: 'POST /quotes',
    server: service,
    requestOf: (index) => quoteRequestBytes(tokenOf(index), marketOf(index)),
  };
  const bottom: LoadedServer = { name: floorName, server: floor, requestOf: plainRequestOf };
  const jose: LoadedServer = {
    name: naiveName,
    server: naive,
    requestOf: (index) =>
      requestBytes({
        method: 'POST',
        path: '/quotes',
        headers: { authorization: `Bearer ${tokenOf(index)}` },
        body: quoteBodyOf(marketOf(index)),
      }),
  };
  return {
    subject: serverWork(subject),
    others: [serverWork(bottom), serverWork(jose)],
    bars: [
      { against: floorName, atLeast: 0.7 },
      { against: naiveName, atLeast: 3 },
    ],
    effort: serverEffort,
    observe: async (rates) => [
      ...(await observeServers({ subject, floor: bottom, bar: { atMost: 2 } }, rates)),
      ...(await observeOverload(subject, rates)),
    ],
    close: async () => {
      clearInterval(looking);
      await Promise.all([service.close(), floor.close(), naive.close()]);
      await world.close();
    },
  };
}

/** Durable quotes of many wallets on all open markets. */
export const postQuotes: Row = {
  name: 'post-quotes',
  work: `POST /quotes, 64 connections, ${walletCount} wallets`,
  prepare: () => prepare(false),
};

/** The same on one side of one market, where all compete for the same counters. */
export const hotMarket: Row = {
  name: 'hot-market',
  work: 'the same, all on one market',
  prepare: () => prepare(true),
};
