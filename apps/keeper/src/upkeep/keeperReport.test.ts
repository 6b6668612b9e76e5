import { keeperReportOf as parsedReport } from '@core/runtime';
import { expect, test } from 'vitest';
import { keeperReportOf } from './keeperReport.ts';

test('shares of a report: grouped by count, state and age; those released more than ten seconds ago are left out', () => {
  const current = [1, 5, 9].map((share) => ({ share, shareCount: 64, fenceToken: 1n }));
  const rounds = [
    { share: { share: 1, shareCount: 64 }, ageMs: 400 },
    { share: { share: 5, shareCount: 64 }, ageMs: 400 },
    { share: { share: 2, shareCount: 8 }, ageMs: 9_999 },
    { share: { share: 3, shareCount: 8 }, ageMs: 10_000 },
  ];
  const report = keeperReportOf({
    address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    breaker: { isOpen: false, remainingOpeningsMs: 0 },
    signers: { all: [], isQuorate: true, requiredCount: 2 },
    debts: { unseenTickers: [], rounds },
    exitTimes: { reports: [] },
    fills: { reports: [], costs: [] },
    shares: { current },
    chain: () => undefined,
  });
  expect(report.shareGroups).toEqual([
    { shareCount: 64, shares: [1, 5], isHeld: true, debtWatchAgeMs: 400 },
    { shareCount: 64, shares: [9], isHeld: true, debtWatchAgeMs: null },
    { shareCount: 8, shares: [2], isHeld: false, debtWatchAgeMs: 9_999 },
  ]);
  expect(parsedReport(JSON.parse(JSON.stringify(report)))?.shareGroups).toEqual(report.shareGroups);
});
