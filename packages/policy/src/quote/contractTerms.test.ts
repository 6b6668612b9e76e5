import { isRejection } from '@core/errors';
import { rateBps, raw } from '@core/pricing';
import { expect, test } from 'vitest';
import { sampleContract, sampleRequest, sampleService, sampleSnapshot, sampleUsage } from '../../testing/samples.ts';
import { policyDefaults } from '../defaults.ts';
import { chargedFeesOf, isPartnerFeeAllowed } from '../partner/contractTerms.ts';
import { partnerTermsOf } from '../partner/partnerTermsOf.ts';
import { decideQuote } from './decideQuote.ts';

const contractOf = (bps: bigint) => ({ maxOriginationFeeBps: rateBps(bps) });

test("the cap is the vault's, also for terms that were stored with one of their own", () => {
  const storedFees = { ...policyDefaults.fees, contractMaxOriginationFeeBps: rateBps(9_999n) };
  expect(chargedFeesOf(storedFees, sampleContract)).toEqual({
    ...policyDefaults.fees,
    contractMaxOriginationFeeBps: rateBps(500n),
  });
});

test.each([
  [500n, 75n],
  [60n, 60n],
  [0n, 0n],
])('under a cap of %d bps a quote at 2x is charged %d bps', (cap, charged) => {
  const decided = decideQuote({
    kind: 'quote',
    request: sampleRequest(),
    snapshot: sampleSnapshot(),
    terms: partnerTermsOf(),
    usage: sampleUsage(),
    service: sampleService,
    contract: contractOf(cap),
  });
  if (isRejection(decided)) throw new Error(decided.code);
  expect(raw(decided.figures.originationFeeBps)).toBe(charged);
});

test("a partner's own fee is allowed up to the cap, whatever the protocol adds", () => {
  const terms = partnerTermsOf({ fees: { partnerOriginationFeeBps: rateBps(400n) } });
  expect([399n, 400n, 500n].map((cap) => isPartnerFeeAllowed(terms, contractOf(cap)))).toEqual([false, true, true]);
});
