import type { Token } from '@core/sdk';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { sessionHandler, visitorTokensPerMinute } from './sessionRoutes.ts';
import { Sessions } from './sessions.ts';
import { signatureCheck } from './signatures.ts';

const sampleToken = { token: 'token', expires_at: '2026-01-01T00:00:00.000Z' } as Token;
const origin = 'http://console.test';

test('sessionHandler: visitors beyond their limit of a minute → refused, while users still get tokens', async () => {
  let now = 1_000;
  const nowMs = () => now;
  // The signature of a key is verified without a chain.
  const sessions = new Sessions({ nowMs }, signatureCheck('http://127.0.0.1:9'));
  const tokens = { create: async () => sampleToken };
  const answer = sessionHandler({ sessions, tokens, origins: [origin], nowMs });
  const tokenFor = async (secret: string | null): Promise<number> => {
    const request = { method: 'POST', path: '/session/token', origin, host: 'console.test', secret, body: {} };
    return (await answer(request)).status;
  };
  const account = privateKeyToAccount(`0x${'1'.repeat(64)}`);
  const { nonce, message } = sessions.challenge(account.address, 'console.test');
  const ownSession = await sessions.open(nonce, await account.signMessage({ message }));
  if (ownSession === null) throw new Error('no session was opened');
  for (let count = 0; count < visitorTokensPerMinute; count += 1) expect(await tokenFor(null)).toBe(201);
  expect(await tokenFor(null)).toBe(429);
  expect(await tokenFor(ownSession.secret)).toBe(201);
  now += 60_000;
  expect(await tokenFor(null)).toBe(201);
});
