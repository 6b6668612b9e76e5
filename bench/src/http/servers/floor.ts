import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { roomyLimits } from '@core/api/testing';
import { listen } from '@core/runtime';
import { openStore } from '@core/store';
import { sampleReserve } from '@core/store/testing';
import { QuoteSigner, SigningKey } from '@core/vault';
import express from 'express';
import { Pool } from 'pg';
import type { Hex } from 'viem';
import { readSetup, serveBench } from '../serverMain.ts';

/**
 * The work no service of this kind can avoid: Express, one credential check, the same limiter, statement, columns and
 * native signature, and an answer of the same length. It parses nothing, decides nothing, reads no market and writes no
 * log.
 */
const setup = readSetup();
const redisUrl = setup['redisUrl'] === undefined ? undefined : String(setup['redisUrl']);
const store = openStore({ databaseUrl: String(setup['databaseUrl']), redisUrl });
const limits = roomyLimits(store.limits);
const signer = new QuoteSigner(new SigningKey(`0x${'5'.repeat(64)}`));
const secret = String(setup['secret']);
const bucket = { name: 'wallet', points: 60, windowMs: 60_000 };
const strictBucket = { name: 'quoteCreation', points: 1, windowMs: 1_000 };
const markets = Buffer.from(String(setup['markets'] ?? '{}'));
const filler = 'x'.repeat(Number(setup['quoteLength'] ?? 0));

const walletOf = (authorization: string): string | null => {
  const [wallet = '', mac = ''] = authorization.slice('Bearer '.length).split('.');
  const expectedMac = createHmac('sha256', secret).update(wallet).digest();
  const givenMac = Buffer.from(mac, 'hex');
  return givenMac.length === expectedMac.length && timingSafeEqual(givenMac, expectedMac) ? wallet : null;
};

let number = 0;
const app = express();
app.disable('x-powered-by');
app.post('/quotes', express.json(), async (request, response) => {
  const wallet = walletOf(request.get('authorization') ?? '');
  if (wallet === null) {
    response.status(401).end();
    return;
  }
  number += 1;
  const hash = randomBytes(32).toString('hex');
  const reservation = sampleReserve(number, {
    releaseAtMs: Date.now() + 45_000,
    quote: {
      id: `off_${hash.slice(0, 26)}`,
      partnerId: String(setup['partnerId']),
      walletAddress: wallet,
      marketId: String(request.body.market_ticker),
      positionKey: `0x${hash}`,
      digest: `0x${hash}`,
    },
  });
  const signature = await signer.signDigest(`0x${hash}` satisfies Hex);
  const { outcome } = await store.admission.admit({
    standard: limits.chargeOf(bucket, wallet),
    strict: limits.chargeOf(strictBucket, wallet),
    idempotency: null,
    reservation,
    nowMs: Date.now(),
  });
  response.status(outcome.kind === 'reserved' ? 201 : 500).json({ signature, filler });
});
app.get('/markets', async (request, response) => {
  await limits.consume(bucket, walletOf(request.get('authorization') ?? '') ?? '');
  response.type('application/json').send(markets);
});
const pool = new Pool({ connectionString: String(setup['databaseUrl']), max: 10 });
const page: object = JSON.parse(String(setup['positions'] ?? '{}'));
app.get('/positions', async (request, response) => {
  const wallet = walletOf(request.get('authorization') ?? '');
  // The same statement; the stored bytes are constant, because presenting them is no part of a floor.
  await pool.query({
    name: 'floor_positions',
    text: `SELECT position.*, market.ticker, market.title FROM positions AS position
           JOIN markets AS market ON market.id = position.market_id
           WHERE position.partner_id = $1 AND position.wallet_address = $2 AND position.status = ANY($3)
           ORDER BY position.created_at DESC, position.id DESC LIMIT 26`,
    values: [setup['partnerId'], wallet, ['pending', 'open', 'unwinding', 'closing']],
  });
  response.type('application/json').send(JSON.stringify(page));
});
const server = createServer(app);
const { url, close } = await listen(server, { port: 0 });
serveBench({ port: Number(new URL(url).port) }, async () => {
  await close();
  await pool.end();
  await store.close();
});
