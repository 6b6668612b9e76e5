import { PoisonedItems, poisonKinds } from '@core/testkit';
import { hashPriceAttestation, type PriceAttestation, SigningKey } from '@core/vault';
import { hexToBytes, toHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { attestationAt, sampleDomain as domain, unwindRequest as request } from '../../testing/quorumSamples.ts';
import { orderConsent } from './consentForm.ts';
import { PriceSigners } from './priceSigners.ts';
import { signatureQuorum } from './signatureQuorum.ts';

const keys = new Map([1n, 2n, 3n].map((key) => [`signer ${key}`, new SigningKey(toHex(key, { size: 32 }))]));

function signedBy(key: SigningKey, attestation: PriceAttestation) {
  const hash = hashPriceAttestation(attestation, domain);
  return { hash, signature: key.signHash(hexToBytes(hash)) };
}

/** Three signers whose marks differ a little, so that each is asked to countersign; two of them are enough. */
function quorumOf(items: PoisonedItems, poisoned: 'attest' | 'countersign') {
  const signers = new PriceSigners(
    [...keys].map(([name, key], index) => {
      const attestation = attestationAt(5_000n + BigInt(index));
      const own = { kind: 'signed', attestation, ...signedBy(key, attestation) } as const;
      const serve = <Answer>(call: typeof poisoned, answer: () => Answer): Promise<Answer> =>
        call === poisoned ? items.serve(name, answer) : Promise.resolve(answer());
      const source = {
        grant: () => Promise.reject(new Error('no grant is requested')),
        countersignGrant: () => Promise.reject(new Error('no grant is requested')),
        grantBatch: () => Promise.reject(new Error('no batch is requested')),
        countersignGrantBatch: () => Promise.reject(new Error('no batch is requested')),
        attest: () => serve('attest', () => own),
        countersign: (asked: { readonly attestation: PriceAttestation }) =>
          serve('countersign', () => ({
            kind: 'signed' as const,
            signature: signedBy(key, asked.attestation).signature,
          })),
        readyAddress: () => Promise.resolve(key.address),
      };
      return { name, source };
    }),
  );
  signers.requiredCount = 2;
  for (const signer of signers.all) {
    Object.assign(signer, { address: keys.get(signer.name)?.address, isAnswering: true, isAppointed: true });
  }
  return signatureQuorum(orderConsent, { signers, domain, patienceMs: 20, silenceMs: 40 });
}

const rubbish: readonly (readonly [string, unknown])[] = [
  ['nothing', undefined],
  ['an answer of no kind', {}],
  ['a signature without an attestation', { kind: 'signed', signature: '0x' }],
  ['an attestation of texts', { kind: 'signed', attestation: { marketId: 'market' }, signature: 'signature' }],
];

describe.each(['attest', 'countersign'] as const)('quorum: one of three signers is poison when asked to %s', (call) => {
  test.each(poisonKinds.filter((kind) => kind !== 'answers_rubbish'))('it %s → the others sign', async (kind) => {
    const items = new PoisonedItems({ keys: [...keys.keys()], kind, rubbish: undefined });
    const ask = quorumOf(items, call);
    for (let count = 0; count < 3; count += 1) {
      expect((await ask(request)).kind).toBe('signed');
    }
  });

  test.each(rubbish)('it answers %s → the others sign', async (_what, answer) => {
    const items = new PoisonedItems({ keys: [...keys.keys()], kind: 'answers_rubbish', rubbish: answer });
    expect((await quorumOf(items, call)(request)).kind).toBe('signed');
  });
});
