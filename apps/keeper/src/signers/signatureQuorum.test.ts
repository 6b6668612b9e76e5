import type { AttestationRefusalCode, AttestationSource } from '@core/attestation';
import { Fault } from '@core/errors';
import { pricePips } from '@core/pricing';
import {
  attestationSignaturesOf,
  hashPriceAttestation,
  type PriceAttestation,
  SigningKey,
  signPriceAttestation,
} from '@core/vault';
import { type Hex, hexToBytes, size, toHex } from 'viem';
import { expect, test } from 'vitest';
import { attestationAt, sampleDomain as domain, unwindRequest as request } from '../../testing/quorumSamples.ts';
import { orderConsent } from './consentForm.ts';
import { choicesOf } from './jointConsent.ts';
import { PriceSigners } from './priceSigners.ts';
import { signatureQuorum } from './signatureQuorum.ts';

const keys = [1n, 2n, 3n, 4n, 5n].map((key) => new SigningKey(toHex(key, { size: 32 })));

interface Behaviour {
  /** Its own view; a code when it refuses, null when it is away, `hangs` when it never answers. */
  readonly says: PriceAttestation | AttestationRefusalCode | 'hangs' | null;
  /** Behaviour towards the terms of others; `hangs` never answers. */
  readonly refusesOthers?: AttestationRefusalCode | 'hangs' | null;
  /** Signs with the key of another. */
  readonly signsAs?: number;
}

const away = () => Promise.reject(new Fault({ origin: 'signer', kind: 'retryable', message: 'away' }));

/** Price signers that behave as said, with real keys; how often they were asked to countersign. */
function quorumOf(behaviours: readonly Behaviour[], requiredCount: number | null, silenceMs = 40) {
  let countersigned = 0;
  const sources = behaviours.map(({ says, refusesOthers = null, signsAs }, index) => {
    const key = keys[signsAs ?? index];
    if (key === undefined) throw new Error('there are five keys');
    const source: AttestationSource = {
      attest: async () => {
        if (says === null) return away();
        if (says === 'hangs') return new Promise(() => undefined);
        if (typeof says === 'string') return { kind: 'refused', code: says };
        return { kind: 'signed', attestation: says, ...(await signPriceAttestation(key, says, domain)) };
      },
      countersign: async ({ attestation }) => {
        countersigned += 1;
        if (refusesOthers === 'hangs') return new Promise(() => undefined);
        if (refusesOthers !== null) return { kind: 'refused', code: refusesOthers };
        return { kind: 'signed', signature: (await signPriceAttestation(key, attestation, domain)).signature };
      },
      grant: () => Promise.reject(new Error('no grant is requested')),
      countersignGrant: () => Promise.reject(new Error('no grant is requested')),
      grantBatch: () => Promise.reject(new Error('no batch is requested')),
      countersignGrantBatch: () => Promise.reject(new Error('no batch is requested')),
      readyAddress: async () => keys[index]?.address ?? null,
    };
    return { name: `signer ${index}`, source };
  });
  const signers = new PriceSigners(sources);
  signers.requiredCount = requiredCount;
  for (const [index, signer] of signers.all.entries()) {
    Object.assign(signer, { address: keys[index]?.address, isAnswering: true, isAppointed: true });
  }
  const ask = signatureQuorum(orderConsent, { signers, domain, patienceMs: 20, silenceMs });
  return { signers, ask: () => ask(request), countersignedCount: () => countersigned };
}

const signatureOf = (key: SigningKey, attestation: PriceAttestation): Hex =>
  key.signHash(hexToBytes(hashPriceAttestation(attestation, domain)));

/** Return the joint signatures of these signers. */
function jointOf(attestation: PriceAttestation, indexes: readonly number[]) {
  const signatures = keys
    .filter((_, index) => indexes.includes(index))
    .map((key) => ({ signer: key.address, signature: signatureOf(key, attestation) }));
  return { kind: 'signed', attestation, signatures: attestationSignaturesOf(signatures) };
}

test('signers with equal terms need no second round', async () => {
  const { ask, countersignedCount } = quorumOf([{ says: attestationAt(5_000n) }, { says: attestationAt(5_000n) }], 2);
  const answer = await ask();
  expect(answer).toEqual(jointOf(attestationAt(5_000n), [0, 1]));
  expect(answer.kind === 'signed' && size(answer.signatures)).toBe(130);
  expect(countersignedCount()).toBe(0);
});

test('signers that observe a moving price sign the stricter of both terms', async () => {
  const { ask, countersignedCount } = quorumOf([{ says: attestationAt(5_000n) }, { says: attestationAt(4_980n) }], 2);
  expect(await ask()).toEqual(jointOf(attestationAt(5_000n), [0, 1]));
  // The one whose own terms they are is not asked again.
  expect(countersignedCount()).toBe(1);
});

test('of three, a lagging feed is excluded', async () => {
  const behind = { says: attestationAt(6_000n), refusesOthers: 'mark_disagrees' } as const;
  const { ask } = quorumOf([behind, { says: attestationAt(5_000n) }, { says: attestationAt(5_010n) }], 2);
  expect(await ask()).toEqual(jointOf(attestationAt(5_010n), [1, 2]));
});

test.each<[string, Behaviour]>([
  ['refuses what others say', { says: attestationAt(4_999n), refusesOthers: 'limit_disagrees' }],
  ['speaks of another token', { says: attestationAt(5_000n, { tokenId: 8n }) }],
  ['signs with another key', { says: attestationAt(5_000n), signsAs: 2 }],
  ['does not answer', { says: null }],
  ['never answers', { says: 'hangs' }],
  ['finds nothing due', { says: 'not_due' }],
])('of three, one that %s does not prevent the other two', async (_name, bad) => {
  const { ask } = quorumOf([{ says: attestationAt(5_000n) }, bad, { says: attestationAt(5_002n) }], 2);
  expect(await ask()).toEqual(jointOf(attestationAt(5_002n), [0, 2]));
});

/** Closer to others than those are to each other, of a moment before: what it is joined to has yet to be signed. */
const clinging = (mark: bigint): Behaviour => ({
  says: attestationAt(mark, { observedAt: 1_699_999_999n, limitPips: pricePips(4_800n) }),
  refusesOthers: 'hangs',
});

test('of three, one that never signs its own proposal does not prevent the other two', async () => {
  const { ask } = quorumOf([{ says: attestationAt(5_000n) }, clinging(5_001n), { says: attestationAt(5_002n) }], 2);
  expect(await ask()).toEqual(jointOf(attestationAt(5_002n), [0, 2]));
});

test('of five, two that never sign their own proposals do not prevent the other three', async () => {
  const honest = [5_000n, 5_004n, 5_008n].map((mark) => ({ says: attestationAt(mark) }));
  const { ask } = quorumOf([...honest, clinging(5_002n), clinging(5_006n)], 3);
  expect(await ask()).toEqual(jointOf(attestationAt(5_008n), [0, 1, 2]));
});

test.each<[string, Behaviour['says']]>([
  ['what it then never signs', clinging(5_001n).says],
  ['nothing', 'hangs'],
])('where two of three do not agree, one that proposes %s does not keep them from asking again', async (_, says) => {
  const moved = { says: attestationAt(5_000n), refusesOthers: 'limit_disagrees' } as const;
  const silent = { says, refusesOthers: 'hangs' } as const;
  const { ask } = quorumOf([moved, silent, { ...moved, says: attestationAt(5_010n) }], 2);
  expect(await ask()).toEqual({ kind: 'refused', code: 'limit_disagrees' });
});

test('a silent signer delays neither a refusal of two of three, nor a transient refusal of one', async () => {
  const decided = quorumOf([{ says: 'not_due' }, { says: 'hangs' }, { says: 'not_due' }], 2, 3_600_000);
  expect(await decided.ask()).toEqual({ kind: 'refused', code: 'not_due' });
  // One refusal decides nothing where there is one to spare: it is asked again.
  const undecided = quorumOf([{ says: attestationAt(5_000n) }, { says: 'hangs' }, { says: 'not_due' }], 2);
  await expect(undecided.ask()).rejects.toMatchObject({ origin: 'signer', retryable: true });
});

test('in the second round a transient reason precedes a lasting one', async () => {
  const liar = { says: attestationAt(4_999n), refusesOthers: 'position_cancelled' } as const;
  const honest = { says: attestationAt(5_000n), refusesOthers: 'limit_disagrees' } as const;
  const { ask } = quorumOf([liar, honest, { ...honest, says: attestationAt(5_010n) }], 2);
  expect(await ask()).toEqual({ kind: 'refused', code: 'limit_disagrees' });
});

test('while all are required, as during an alarm, one refusal prevents the order with its reason', async () => {
  const stubborn = { says: attestationAt(5_001n), refusesOthers: 'limit_disagrees' } as const;
  const { ask } = quorumOf([{ says: attestationAt(5_000n) }, stubborn, { says: attestationAt(5_002n) }], 3);
  expect(await ask()).toEqual({ kind: 'refused', code: 'limit_disagrees' });
});

test('a refusal counts when too few others remain; a lasting one precedes a transient one', async () => {
  const said = async (codes: readonly (AttestationRefusalCode | null)[], required: number) =>
    quorumOf(
      codes.map((code) => ({ says: code ?? attestationAt(5_000n) })),
      required,
    ).ask();
  expect(await said([null, 'not_due'], 2)).toEqual({ kind: 'refused', code: 'not_due' });
  expect(await said([null, 'book_stale', 'not_due'], 2)).toEqual({ kind: 'refused', code: 'book_stale' });
  expect(await said(['not_due', 'book_stale', 'not_due'], 2)).toEqual({ kind: 'refused', code: 'not_due' });
  expect(await said([null, 'book_stale', 'not_due'], 3)).toEqual({ kind: 'refused', code: 'not_due' });
});

test('a failing signer counts as away until it is probed again; too few are not asked', async () => {
  const { signers, ask } = quorumOf([{ says: attestationAt(5_000n) }, { says: null }], 2);
  await expect(ask()).rejects.toMatchObject({ origin: 'signer', retryable: true });
  expect(signers.all.map(({ isAnswering }) => isAnswering)).toEqual([true, false]);
  expect(await ask()).toEqual({ kind: 'away' });
  expect(signers.isQuorate).toBe(false);
});

test.each<[string, (signers: PriceSigners) => void]>([
  ['the rules of the vault were never read', (signers) => Object.assign(signers, { requiredCount: null })],
  ['one was removed from the vault', ({ all }) => Object.assign(all[1] ?? {}, { isAppointed: false })],
  ['both are one key', ({ all }) => Object.assign(all[1] ?? {}, { address: all[0]?.address })],
])('nothing is asked while %s', async (_name, change) => {
  const { signers, ask } = quorumOf([{ says: attestationAt(5_000n) }, { says: attestationAt(5_000n) }], 2);
  change(signers);
  expect(await ask()).toEqual({ kind: 'away' });
});

test('two signers of different orders have no joint terms', async () => {
  const { ask } = quorumOf([{ says: attestationAt(5_000n) }, { says: attestationAt(5_000n, { tokenId: 8n }) }], 2);
  expect(await ask()).toEqual({ kind: 'refused', code: 'attestation_mismatch' });
  expect(hashPriceAttestation(attestationAt(5_000n), domain)).not.toBe(
    hashPriceAttestation(attestationAt(5_000n, { tokenId: 8n }), domain),
  );
});

test('returns every combination once', () => {
  expect(choicesOf(['a', 'b', 'c'], 2)).toEqual([
    ['a', 'b'],
    ['a', 'c'],
    ['b', 'c'],
  ]);
  expect(choicesOf(['a'], 2)).toEqual([]);
  expect(choicesOf([], 0)).toEqual([[]]);
});
