import { createHmac, randomBytes } from 'node:crypto';
import { basePath } from '@core/wire';
import type { Bench, Observation, Row } from '../harness/row.ts';
import { fillTables, fullSizes, fullWalletCount } from '../http/fullTables.ts';
import { latenciesOf, listPages } from '../http/listPages.ts';
import { type LoadedServer, observeServers, serverEffort, serverWork } from '../http/load.ts';
import { quantileOf } from '../http/loadClient.ts';
import { startServer } from '../http/serverProcess.ts';
import { issueTokens, requestBytes, roundRobin, startWorld, walletOf } from '../http/world.ts';

const floorName = 'Express, one prepared statement, JSON.stringify';

async function prepare(): Promise<Bench> {
  const world = await startWorld();
  await fillTables(world, fullSizes);
  const service = await startServer('service', world.setup);
  const tokens = await issueTokens(service, world, fullWalletCount);
  const path = `${basePath}/positions?limit=25&state=active`;
  const bytesOf = (token: string, target: string): Buffer =>
    requestBytes({ method: 'GET', path: target, headers: { authorization: `Bearer ${token}` } });
  const headers = { authorization: `Bearer ${tokens[0]}` };
  const sample = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers });
  const text = await sample.text();
  const items: unknown = Object(JSON.parse(text)).data;
  if (sample.status !== 200 || !Array.isArray(items) || items.length !== 25) {
    throw new Error(`no sample page: ${text.slice(0, 300)}`);
  }
  const secret = randomBytes(32).toString('hex');
  const floor = await startServer('floor', { ...world.setup, secret, partnerId: world.partnerId, positions: text });
  const own = tokens.map((token) => bytesOf(token, path));
  const plain = tokens.map((_, index) => {
    const wallet = walletOf(index);
    const mac = createHmac('sha256', secret).update(wallet).digest('hex');
    return bytesOf(`${wallet}.${mac}`, '/positions');
  });
  const subject: LoadedServer = { name: 'GET /positions', server: service, requestOf: roundRobin(own) };
  const bottom: LoadedServer = { name: floorName, server: floor, requestOf: roundRobin(plain) };
  const observePages = async (): Promise<readonly Observation[]> => {
    const observations: Observation[] = [];
    for (const page of listPages) {
      const latenciesMs = await latenciesOf(service, page, tokens);
      observations.push({ what: `p99 of ${page} when full`, amount: quantileOf(latenciesMs, 0.99), unit: 'ms' });
    }
    return observations;
  };
  return {
    subject: serverWork(subject),
    others: [serverWork(bottom)],
    bars: [{ against: floorName, atLeast: 0.5 }],
    effort: serverEffort,
    observe: async (rates) => [...(await observePages()), ...(await observeServers({ subject, floor: bottom }, rates))],
    close: async () => {
      await Promise.all([service.close(), floor.close()]);
      await world.close();
    },
  };
}

/** A page of open positions and the lists, with the tables of a service after years. */
export const listPositions: Row = {
  name: 'list-positions',
  work: `GET /positions, 25 open, of ${fullSizes.finishedPositions} finished`,
  prepare,
};
