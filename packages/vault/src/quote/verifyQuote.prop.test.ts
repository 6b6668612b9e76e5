import { leverageBps, raw } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCreatePositionFields, anyPrivateKey } from '../../testing/arbitraries.ts';
import { SigningKey } from '../signing/signingKey.ts';
import { QuoteSigner } from './quoteSigner.ts';
import { createPositionFieldNames, verifyQuote } from './verifyQuote.ts';

test('a signed quote verifies; for a changed one the value or the signer is named', async () => {
  await fc.assert(
    fc.asyncProperty(anyPrivateKey, anyCreatePositionFields, anyCreatePositionFields, async (key, fields, other) => {
      const signer = new QuoteSigner(new SigningKey(key));
      const { digest, signature } = await signer.sign(fields);
      const signedBy = { signer: signer.address, chainId: fields.chainId, vault: fields.vault };
      expect(await verifyQuote({ fields, signature, expected: signedBy })).toEqual({ verified: true, digest });
      for (const name of createPositionFieldNames) {
        if (fields[name] === other[name]) continue;
        const changed = { ...fields, [name]: other[name] };
        // With every expectation present, the verifier names the value itself.
        expect(await verifyQuote({ fields: changed, signature, expected: { ...fields, ...signedBy } })).toEqual({
          verified: false,
          field: name,
        });
      }
      const changedTerms = { ...fields, leverageBps: leverageBps((raw(fields.leverageBps) + 1n) % 2n ** 32n) };
      expect(await verifyQuote({ fields: changedTerms, signature, expected: signedBy })).toEqual({
        verified: false,
        field: 'signer',
      });
    }),
    { numRuns: 15 },
  );
});

test('addresses compare case-insensitively; a malformed signature is named', async () => {
  const [fields] = fc.sample(anyCreatePositionFields, { numRuns: 1, seed: 7 });
  if (fields === undefined) throw new Error('no sample');
  const signer = new QuoteSigner(new SigningKey(`0x${'07'.repeat(32)}`));
  const { signature } = await signer.sign(fields);
  const signedBy = {
    signer: signer.address.toLowerCase() as `0x${string}`,
    chainId: fields.chainId,
    vault: `0x${fields.vault.slice(2).toUpperCase()}` as const,
  };
  expect(await verifyQuote({ fields, signature, expected: signedBy })).toMatchObject({ verified: true });
  expect(await verifyQuote({ fields, signature: '0x1234', expected: signedBy })).toEqual({
    verified: false,
    field: 'signature',
  });
  const otherSigner = { ...signedBy, signer: `0x${'11'.repeat(20)}` as const };
  expect(await verifyQuote({ fields, signature, expected: otherSigner })).toEqual({ verified: false, field: 'signer' });
});
