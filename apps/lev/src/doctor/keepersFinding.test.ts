import { expect, test } from 'vitest';
import { keepersFindingOf } from './keepersFinding.ts';

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const coin = { balance_wei: '0', minimum_wei: '12000000000000000', reserve_wei: '60000000000000000' };
const keeperWith = (chain: object) => ({
  address,
  chain: { head_age_ms: 1_000, lead_ms: 0, nonce_age_ms: 7_000, refusal: null, coin, problems: [], ...chain },
});
const findingOf = (...chains: readonly object[]) => keepersFindingOf({ keepers: chains.map(keeperWith) });

test('keepers: an empty account → balance, need and refusal, and the coin to send', () => {
  const finding = findingOf({ problems: ['balance_too_low', 'sends_refused'], refusal: 'insufficient funds' });
  expect(finding).toEqual({
    ok: false,
    detail: expect.stringMatching(
      /balance_too_low, sends_refused .* insufficient funds, balance 0, needs 0\.012 and 0\.06 in reserve/,
    ),
    fix: `Send 0.06 of the chain's native coin or more to ${address}.`,
  });
});

test('keepers: an account below its reserve → a failure before it is stuck', () => {
  const finding = findingOf({ coin: { ...coin, balance_wei: '50000000000000000' } });
  expect(finding).toMatchObject({ ok: false, fix: `Send 0.01 of the chain's native coin or more to ${address}.` });
});

test('keepers: stuck for another reason → no coin is asked for', () => {
  const finding = findingOf({ problems: ['nonce_stuck'], coin: { ...coin, balance_wei: coin.reserve_wei } });
  expect(finding).not.toHaveProperty('fix');
  expect(finding.detail).toContain('nonce_stuck');
});

test('keepers: nothing wrong, also without a report of coin → passed', () => {
  expect(findingOf({ coin: { ...coin, balance_wei: coin.reserve_wei } }, { coin: null })).toEqual({
    ok: true,
    detail: '2 reporting',
  });
  expect(keepersFindingOf({ keepers: [] })).toMatchObject({ ok: false });
});
