import {
  type AttestationRefusal,
  type CountersignatureAnswer,
  type GrantBatchAnswer,
  type GrantBatchCountersignatureRequest,
  type GrantBatchRequest,
  grantTermsOf,
  memberGrantOf,
} from '@core/attestation';
import { decideGrantBatch, decideGrantBatchCountersignature, type GrantTerms } from '@core/policy';
import { type GrantBatch, purposeOf, signGrantBatch } from '@core/vault';
import type { Hex } from 'viem';
import { observedAtOf } from './attest.ts';
import { mismatchOf } from './countersign.ts';
import { type MemberFailure, type ObservedMember, observeBatch } from './observeBatch.ts';
import { type AttestorDependencies, type ObservedGrant, refused } from './observeRequest.ts';
import { timeRefusalOf } from './timeRefusal.ts';

/** Answer about a batch, and the causes for which members are not signed. */
export interface BatchOutcome<Answer> {
  readonly answer: Answer;
  readonly refusals: readonly MemberRefusal[];
}

export interface MemberRefusal {
  readonly positionKey: Hex;
  readonly cause: AttestationRefusal | MemberFailure;
}

/** Member that the policy can decide. */
interface Decidable {
  readonly positionKey: Hex;
  readonly observed: ObservedGrant;
}

interface Granted extends Decidable {
  readonly terms: GrantTerms;
}

type SalePurpose = GrantBatchRequest['purpose'];

/**
 * Attest the grants of several sales of one token: observe, ask the policy, sign those that it grants. Without one the
 * answer is the first refusal.
 *
 * @throws The error of the first member when all of them fail.
 */
export async function grantBatch(
  dependencies: AttestorDependencies,
  request: GrantBatchRequest,
): Promise<BatchOutcome<GrantBatchAnswer>> {
  const observations = await observeBatch(dependencies, request);
  const decided = decidedTermsOf(request.purpose, observations.flatMap(decidableOf));
  const results = observations.map(({ positionKey, observed }): Granted | MemberRefusal => {
    if (observed.kind !== 'observed') return { positionKey, cause: observed };
    const terms = decided.get(positionKey);
    if (terms?.kind === 'grant') return { positionKey, observed, terms };
    return { positionKey, cause: refused(terms?.reason ?? 'position_unknown') };
  });
  const refusals = results.filter((result) => 'cause' in result);
  const granted = results.filter((result) => 'terms' in result);
  const earliest = earliestOf(granted);
  if (earliest === null) return { answer: firstRefusalOf(refusals), refusals };
  const batch = batchOf(granted, earliest);
  const refusal = batchTimeRefusalOf(batch, earliest);
  if (refusal !== null) {
    const late = granted.map(({ positionKey }) => ({ positionKey, cause: refusal }));
    return { answer: refusal, refusals: [...refusals, ...late] };
  }
  return { answer: { kind: 'signed', batch, ...(await signed(dependencies, batch, granted)) }, refusals };
}

/** Sign the batch of another signer, under every one of the own rules, when each of its members passes them. */
export async function countersignGrantBatch(
  dependencies: AttestorDependencies,
  { request, batch }: GrantBatchCountersignatureRequest,
): Promise<BatchOutcome<CountersignatureAnswer>> {
  const requested = new Map(request.members.map((member) => [member.positionKey, member]));
  const members = batch.members.flatMap(({ positionKey }) => requested.get(positionKey) ?? []);
  if (members.length < batch.members.length) {
    const foreign = batch.members.filter(({ positionKey }) => !requested.has(positionKey));
    return refusedFor(foreign.map(({ positionKey }) => ({ positionKey, cause: refused('attestation_mismatch') })));
  }
  const observations = await observeBatch(dependencies, { ...request, members });
  const decidable = observations.flatMap(decidableOf);
  const unfit = observations.flatMap((member) => unfitnessOf(member, { request, batch }));
  if (unfit.length > 0) return refusedFor(unfit);
  const disagreements = disagreementsOf(decidable, { request, batch });
  if (disagreements.length > 0) return refusedFor(disagreements);
  const { signature } = await signed(dependencies, batch, decidable);
  return { answer: { kind: 'signed', signature }, refusals: [] };
}

const decidableOf = ({ positionKey, observed }: ObservedMember): readonly Decidable[] =>
  observed.kind === 'observed' ? [{ positionKey, observed }] : [];

const saleOf = ({ observed: { decision, config } }: Decidable) => ({
  mostUnits: decision.mostUnits,
  position: decision.position,
  config,
});

/** Return what the policy decides of each member, by position. */
function decidedTermsOf(purpose: SalePurpose, members: readonly Decidable[]) {
  const [first] = members;
  if (first === undefined) return new Map<Hex, never>();
  const { snapshot, decision } = first.observed;
  const decided = decideGrantBatch(snapshot, { ...decision, purpose, sales: members.map(saleOf) });
  return new Map(
    members.flatMap(({ positionKey }, index) => {
      const terms = decided[index];
      return terms === undefined ? [] : [[positionKey, terms] as const];
    }),
  );
}

/** Return the member that was read at the earliest block; null without members. */
function earliestOf<Member extends Decidable>(members: readonly Member[]): Member | null {
  const [first] = members.toSorted((left, right) => blockTimeOf(left) - blockTimeOf(right));
  return first ?? null;
}

const blockTimeOf = ({ observed }: Decidable): number => observed.position.blockTimeMs;

/** Return the batch of the granted members, observed no later than the earliest block at which one was read. */
function batchOf(granted: readonly Granted[], { observed, terms }: Granted): GrantBatch {
  const { position, snapshot, decision } = observed;
  return {
    marketId: position.conditionId,
    tokenId: position.tokenId,
    purpose: purposeOf(decision.purpose),
    markPips: terms.markPricePips,
    observedAt: observedAtOf(snapshot, decision.side, position.blockTimeMs),
    validFor: terms.validForSeconds,
    notAfter: BigInt(terms.notAfterSeconds),
    members: granted.map(({ positionKey, terms: own }) => ({
      positionKey,
      mostUnits: own.mostUnits,
      limitPips: own.limitPricePips,
      triggerPips: own.triggerPricePips,
      venueFeeBps: own.venueFeeBps,
    })),
  };
}

function batchTimeRefusalOf({ observedAt }: GrantBatch, { observed }: Decidable): AttestationRefusal | null {
  const refusal = timeRefusalOf(observedAt, observed, BigInt(observed.config.grant.maxAgeSeconds));
  return refusal === null ? null : refused(refusal);
}

/** Return the refusal of a member that was not observed, has another token or purpose, or is observed too late. */
function unfitnessOf(
  member: ObservedMember,
  { request, batch }: GrantBatchCountersignatureRequest,
): readonly MemberRefusal[] {
  const { positionKey, observed } = member;
  if (observed.kind !== 'observed') return [{ positionKey, cause: observed }];
  const mismatch = mismatchOf(observed.position, { request, attestation: batch });
  const refusal = mismatch === null ? batchTimeRefusalOf(batch, { positionKey, observed }) : refused(mismatch);
  return refusal === null ? [] : [{ positionKey, cause: refusal }];
}

/** Return the members of a batch with which the policy does not agree. */
function disagreementsOf(
  members: readonly Decidable[],
  { request, batch }: GrantBatchCountersignatureRequest,
): readonly MemberRefusal[] {
  const [first] = members;
  if (first === undefined) return [];
  const proposed = new Map(
    batch.members.map((member) => [member.positionKey, grantTermsOf(memberGrantOf(batch, member))]),
  );
  const sales = members.flatMap((member) => {
    const terms = proposed.get(member.positionKey);
    return terms === undefined ? [] : [{ ...saleOf(member), proposed: terms }];
  });
  const { snapshot, decision } = first.observed;
  const decided = decideGrantBatchCountersignature(snapshot, { ...decision, purpose: request.purpose, sales });
  return members.flatMap(({ positionKey }, index) => {
    const decision = decided[index];
    return decision?.kind === 'refused' ? [{ positionKey, cause: refused(decision.reason) }] : [];
  });
}

/** Record the grants of a batch, which the signer watches from now, and sign it. */
function signed(
  { grants, key, chainId, contracts }: AttestorDependencies,
  batch: GrantBatch,
  members: readonly Decidable[],
) {
  for (const { positionKey, observed } of members) grants.record(positionKey, observed.position);
  return signGrantBatch(key, batch, { chainId, vault: contracts.vault });
}

const refusedFor = (refusals: readonly MemberRefusal[]) => ({ answer: firstRefusalOf(refusals), refusals });

/**
 * Return the first refusal.
 *
 * @throws The error of the first member when none is refused.
 */
function firstRefusalOf(refusals: readonly MemberRefusal[]): AttestationRefusal {
  const causes = refusals.map(({ cause }) => cause);
  const refusal = causes.find((cause) => cause.kind === 'refused');
  if (refusal !== undefined) return refusal;
  const [failure] = causes;
  throw failure?.kind === 'failed' ? failure.error : new Error('a batch has members');
}
