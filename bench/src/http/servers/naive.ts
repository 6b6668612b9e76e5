import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { createServer } from 'node:http';
import { listen } from '@core/runtime';
import { openStore } from '@core/store';
import { reserveQuote, sampleReserve } from '@core/store/testing';
import express from 'express';
import { jwtVerify } from 'jose';
import { type Hex, hashMessage, keccak256, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { readSetup, serveBench } from '../serverMain.ts';

/**
 * The same durable quote in its first obvious form: a token verified each time, a transaction of single steps, viem.
 */
const setup = readSetup();
const store = openStore({ databaseUrl: String(setup['databaseUrl']) });
const account = privateKeyToAccount(`0x${'5'.repeat(64)}`);
const bucket = { name: 'naive', points: 1_000_000_000, windowMs: 60_000 };
const key = createPublicKey({ key: firstKeyOf(setup['tokenKeys']), format: 'jwk' });

function firstKeyOf(set: unknown): JsonWebKey {
  const keys: unknown = typeof set === 'object' && set !== null ? Reflect.get(set, 'keys') : [];
  const [first]: unknown[] = Array.isArray(keys) ? keys : [];
  return typeof first === 'object' && first !== null ? { ...first } : {};
}

let number = 0;
const app = express();
app.post('/quotes', express.json(), async (request, response) => {
  const { payload } = await jwtVerify((request.get('authorization') ?? '').slice('Bearer '.length), key);
  const wallet = String(payload.sub).toLowerCase();
  await store.limits.consume(bucket, wallet);
  number += 1;
  const hash = keccak256(toHex(`${process.pid}:${number}:${Math.random()}`));
  const marketId = String(request.body.market_ticker);
  const partnerId = String(setup['partnerId']);
  const signature = await store.transaction(async ({ usage, admission }) => {
    await usage.read({ partnerId, walletAddress: wallet, marketId, clusterKey: null });
    const quote = {
      id: `off_${hash.slice(2, 28)}`,
      partnerId,
      walletAddress: wallet,
      marketId,
      positionKey: hash,
      digest: hash,
    };
    await reserveQuote({ admission }, sampleReserve(number, { releaseAtMs: Date.now() + 45_000, quote }));
    return account.sign({ hash: hashMessage({ raw: hash satisfies Hex }) });
  });
  response.status(201).json({ signature, filler: 'x'.repeat(Number(setup['quoteLength'])) });
});
const server = createServer(app);
const { url, close } = await listen(server, { port: 0 });
serveBench({ port: Number(new URL(url).port) }, async () => {
  await close();
  await store.close();
});
