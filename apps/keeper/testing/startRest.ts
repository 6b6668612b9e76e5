import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openApi, readEnv } from '@core/api';
import { fieldOf, send, serviceEnvironment } from '@core/api/testing';
import type { Position } from '@core/position';
import { createLogger } from '@core/runtime';
import type { TestStack } from './startTestStack.ts';

/** The real service beside a keeper: what a client reads of a position. */
export interface Rest {
  /** `GET /positions/{position_id}` by the owner, with its unwinds. */
  positionOf(record: Pick<Position, 'id' | 'walletAddress'>): Promise<unknown>;
  close(): Promise<void>;
}

export async function startRest({ store, partnerId, databaseUrl, deployment, world }: TestStack): Promise<Rest> {
  const folder = await mkdtemp(path.join(tmpdir(), 'keeper-rest-'));
  const issued = await store.apiKeys.issue({ partnerId, environment: 'sandbox', nowMs: Date.now() });
  if (issued.kind !== 'issued') throw new Error('no key was issued');
  const { quoteSigner } = deployment.roles;
  const environment = await serviceEnvironment(world, { folder, databaseUrl, quoteSigner });
  const api = await openApi(readEnv(environment), createLogger({ name: 'api', level: 'silent' }));
  return {
    positionOf: async ({ id, walletAddress }) => {
      const wallet = { authorization: `Api-Key ${issued.secret}`, body: { wallet_address: walletAddress } };
      const token = fieldOf((await send(`${api.url}/tokens`, wallet)).body, 'token');
      const response = await send(`${api.url}/positions/${id}?expand=unwinds`, {
        authorization: `Bearer ${String(token)}`,
      });
      if (response.status !== 200) throw new Error(`the position was refused: ${response.text}`);
      return response.body;
    },
    close: async () => {
      await api.close();
      await rm(folder, { recursive: true });
    },
  };
}
