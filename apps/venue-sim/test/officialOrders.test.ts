import { createServer } from 'node:http';
import { buyOrderOf, pricePips, raw, sellOrderOf, tokenUnits, usdcUnits } from '@core/pricing';
import { listen } from '@core/runtime';
import { OrderSide, SigningKey } from '@core/vault';
import { HttpVenueClient, realVenueProfile, walletOrderDigestOf, walletSignatureEndOf } from '@core/venue';
import { Chain, ClobClient, OrderType, Side, SignatureTypeV2 } from '@polymarket/clob-client-v2';
import * as fc from 'fast-check';
import { type Address, concat, type Hex, hexToBytes } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { walletOf } from '../testing/officialVenue.ts';

const key = `0x${'c1'.repeat(32)}` as const;
const creds = { key: 'the-key', secret: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=', passphrase: 'the-passphrase' };
const tokenId = 72_690_798_903_588_392_269_001_731_007_662_425n;
const wallet: Address = '0x6F908B3B67b9F9C40413775fFf48b286aeF9a081';

/** Bodies received by the order server. */
const bodies: unknown[] = [];
let url: string;
let close: () => Promise<void>;
let official: ClobClient;

/** Serve the terms of one market and accept every order. */
const answers: Readonly<Record<string, unknown>> = {
  '/version': { version: 2 },
  '/tick-size': { minimum_tick_size: 0.01 },
  '/neg-risk': { neg_risk: false },
  [`/markets-by-token/${tokenId}`]: { condition_id: '0xc0' },
  '/clob-markets/0xc0': { t: [{ t: String(tokenId), o: 'Yes' }], mts: 0.01, nr: false },
  '/order': {
    success: true,
    errorMsg: '',
    orderID: `0x${'ab'.repeat(32)}`,
    status: 'live',
    makingAmount: '',
    takingAmount: '',
  },
};

beforeAll(async () => {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (piece) => {
      text += String(piece);
    });
    request.on('end', () => {
      if (text !== '') bodies.push(JSON.parse(text));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answers[(request.url ?? '').split('?')[0] ?? '']));
    });
  });
  ({ url, close } = await listen(server, { port: 0, host: '127.0.0.1' }));
  official = new ClobClient({
    host: url,
    chain: Chain.POLYGON,
    signer: walletOf(key),
    creds,
    signatureType: SignatureTypeV2.POLY_1271,
    funderAddress: wallet,
    throwOnError: true,
  });
});

afterAll(async () => {
  await close();
});

const marketOrder = (side: Side, amount: number, price: number) =>
  official.createMarketOrder({ tokenID: String(tokenId), side, amount, price });

it('sends the same body as the official client, with the same signature', async () => {
  const built = await marketOrder(Side.BUY, 12.34, 0.57);
  if (!('timestamp' in built)) throw new Error('the client builds orders of an earlier version');
  await official.postOrder(built, OrderType.FOK);
  const { makerAmount, takerAmount, salt, timestamp, metadata, builder } = built;
  const order = {
    salt: BigInt(String(salt)),
    maker: wallet,
    signer: wallet,
    tokenId,
    makerAmount: BigInt(String(makerAmount)),
    takerAmount: BigInt(String(takerAmount)),
    side: OrderSide.Buy,
    signatureType: 3,
    timestamp: BigInt(String(timestamp)),
    metadata: metadata as Hex,
    builder: builder as Hex,
  };
  const { chainId, contracts, orderDomains, walletDomain } = realVenueProfile;
  const domain = { ...orderDomains.v1, chainId, exchange: contracts?.exchanges.v1 ?? '0x' };
  const owner = new SigningKey(key);
  const inner = owner.signHash(hexToBytes(walletOrderDigestOf({ order, domain, walletDomain })));
  const signature = concat([inner, walletSignatureEndOf({ order, domain })]);
  await new HttpVenueClient({ url }).placeOrder({ order: { ...order, signature }, orderType: 'FOK', owner: creds.key });
  const [theirs, ours] = bodies.slice(-2) as Record<string, unknown>[];
  const { postOnly, ...sent } = theirs ?? {};
  expect(postOnly).toBe(false);
  expect(ours).toEqual(sent);
});

it('chooses the same amounts as the official client at ticks of a cent', async () => {
  const prices = fc.integer({ min: 1, max: 99 });
  const cents = fc.integer({ min: 100, max: 5_000_000 });
  await fc.assert(
    fc.asyncProperty(prices, cents, async (priceCents, amountCents) => {
      const at = { pricePips: pricePips(BigInt(priceCents) * 100n), tickPricePips: pricePips(100n) };
      const buy = buyOrderOf(usdcUnits(BigInt(amountCents) * 10_000n), at);
      const theirs = (await marketOrder(Side.BUY, amountCents / 100, priceCents / 100)) as {
        makerAmount: string;
        takerAmount: string;
      };
      expect([String(raw(buy.usdcUnits)), String(raw(buy.tokenUnits))]).toEqual([
        theirs.makerAmount,
        theirs.takerAmount,
      ]);
      const sale = sellOrderOf(tokenUnits(BigInt(amountCents) * 10_000n), at);
      const theirSale = (await marketOrder(Side.SELL, amountCents / 100, priceCents / 100)) as {
        makerAmount: string;
        takerAmount: string;
      };
      expect([String(raw(sale.tokenUnits)), String(raw(sale.usdcUnits))]).toEqual([
        theirSale.makerAmount,
        theirSale.takerAmount,
      ]);
    }),
    { numRuns: 150 },
  );
});
