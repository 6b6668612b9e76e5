import { createLogger } from '@core/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApi, readEnv } from '../src/index.ts';
import { type Surroundings, startSurroundings } from '../testing/startSurroundings.ts';

let surroundings: Surroundings;
beforeAll(async () => {
  surroundings = await startSurroundings();
});
afterAll(() => surroundings.close());

const logger = createLogger({ name: 'api', level: 'silent' });

/** A service inside this process, on free ports. */
const openOne = () => openApi(readEnv({ ...surroundings.environment, METRICS_PORT: '0' }), logger);

test('two services of one process have ports and metrics of their own, and the end of one is its own', async () => {
  const [ending, staying] = await Promise.all([openOne(), openOne()]);
  const statusOf = async (url: string | null): Promise<number> => {
    const answer = await fetch(String(url));
    await answer.text();
    return answer.status;
  };
  const urls = [ending, staying].flatMap(({ url, metricsUrl }) => [`${url}/contract-info`, metricsUrl]);
  expect(new Set(urls).size).toBe(4);
  expect(await Promise.all(urls.map(statusOf))).toEqual([200, 200, 200, 200]);
  await ending.close();
  await expect(statusOf(`${ending.url}/contract-info`)).rejects.toThrow(TypeError);
  expect(await statusOf(`${staying.url}/contract-info`)).toBe(200);
  await staying.close();
});
