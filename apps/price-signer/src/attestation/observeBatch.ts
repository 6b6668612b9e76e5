import type { AttestationRefusal, GrantBatchRequest, GrantBatchRequestMember } from '@core/attestation';
import type { PositionTerms } from '@core/vault';
import type { Hex } from 'viem';
import {
  type AttestorDependencies,
  type ObservedGrant,
  observeGrantAt,
  observeMarket,
  placeOf,
  type ReadPosition,
  readAlarmEnd,
  readRequested,
  refused,
} from './observeRequest.ts';

/** Time for each of the two steps of a member: with both the answer still reaches the keeper. */
const memberMs = 1_800;

/** Failure with one member of a batch. */
export interface MemberFailure {
  readonly kind: 'failed';
  readonly error: unknown;
}

/** Member of a batch, and what was observed of it. */
export interface ObservedMember {
  readonly positionKey: Hex;
  readonly observed: ObservedGrant | AttestationRefusal | MemberFailure;
}

/**
 * Observe the members of a batch at one moment: the positions concurrently, the alarm once, and once the market of the
 * token that the greatest number of them has. A member that fails, hangs or has another token is no obstacle to the
 * others.
 */
export async function observeBatch(
  dependencies: AttestorDependencies,
  { purpose, members }: GrantBatchRequest,
): Promise<readonly ObservedMember[]> {
  const readOne = async (member: GrantBatchRequestMember) => {
    return { member, read: await settled(readRequested(dependencies, { ...member, purpose })) };
  };
  const [alarmEndsAt, reads] = await Promise.all([readAlarmEnd(dependencies), Promise.all(members.map(readOne))]);
  const shared = commonestOf(reads.flatMap(({ read }) => ('kind' in read ? [] : [read.position])));
  const market = shared === null ? refused('position_unknown') : await observeMarket(dependencies, shared, purpose);

  const observe = (
    member: GrantBatchRequestMember,
    read: ReadPosition,
  ): Promise<ObservedGrant | AttestationRefusal> => {
    const { position } = read;
    if (position.state === 'none') return Promise.resolve(refused('position_unknown'));
    if (market.kind === 'refused') return Promise.resolve(market);
    if (shared !== null && !isSameOutcome(position, shared)) return Promise.resolve(refused('attestation_mismatch'));
    const place = placeOf(dependencies, { read, market, alarmEndsAt });
    return observeGrantAt(dependencies, place, { ...member, purpose });
  };
  return Promise.all(
    reads.map(async ({ member, read }) => {
      const observed = 'kind' in read ? read : await settled(observe(member, read));
      return { positionKey: member.positionKey, observed };
    }),
  );
}

const isSameOutcome = (left: PositionTerms, right: PositionTerms): boolean =>
  left.conditionId === right.conditionId && left.tokenId === right.tokenId;

/** Return a position of the outcome that the greatest number of them has; null without a position. */
function commonestOf(read: readonly PositionTerms[]): PositionTerms | null {
  const positions = read.filter(({ state }) => state !== 'none');
  const groups = positions.map((each) => positions.filter((other) => isSameOutcome(each, other)));
  const largest = groups.toSorted((left, right) => right.length - left.length)[0];
  return largest?.[0] ?? null;
}

/** Await one member within the time limit. Work that is late continues: what it reads serves the next request. */
async function settled<Value>(work: Promise<Value>): Promise<Value | MemberFailure> {
  const over = Promise.withResolvers<MemberFailure>();
  const error = new Error(`a member of a batch took more than ${memberMs} ms`);
  const timer = setTimeout(() => over.resolve({ kind: 'failed', error }), memberMs);
  try {
    return await Promise.race([work, over.promise]);
  } catch (cause) {
    return { kind: 'failed', error: cause };
  } finally {
    clearTimeout(timer);
  }
}
