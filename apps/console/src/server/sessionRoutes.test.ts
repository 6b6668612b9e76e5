import type { Token } from '@core/sdk';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { sessionAnswerer, visitorTokensPerMinute } from './sessionRoutes.ts';
import { Sessions } from './sessions.ts';

const sampleToken = { token: 'token', expires_at: '2026-01-01T00:00:00.000Z' } as Token;
const origin = 'http://console.test';

test('visitors cannot take the tokens of users: beyond their limit of a minute they wait, and users do not', async () => {
  let now = 1_000;
  const nowMs = () => now;
  const sessions = new Sessions({ nowMs });
  const tokens = { create: async () => sampleToken };
  const answer = sessionAnswerer({ sessions, tokens, origins: [origin], nowMs });
  const tokenFor = async (secret: string | null): Promise<number> => {
    const request = { method: 'POST', path: '/session/token', origin, host: 'console.test', secret, body: {} };
    return (await answer(request)).status;
  };
  const account = privateKeyToAccount(`0x${'1'.repeat(64)}`);
  const { nonce, message } = sessions.challenge(account.address, 'console.test');
  const opened = await sessions.open(nonce, await account.signMessage({ message }));
  if (opened === null) throw new Error('the wallet has signed');
  for (let taken = 0; taken < visitorTokensPerMinute; taken += 1) expect(await tokenFor(null)).toBe(201);
  expect(await tokenFor(null)).toBe(429);
  expect(await tokenFor(opened.secret)).toBe(201);
  now += 60_000;
  expect(await tokenFor(null)).toBe(201);
});
