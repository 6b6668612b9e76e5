import { rowJsonOf } from '../database/columns.ts';
import { shareStatements } from '../database/shareStatements.ts';
import type { Sql, Statement } from '../database/sql.ts';
import type { RefusedSubjects } from '../service/refusedSubjects.ts';
import type { Admission, AdmissionOutcome, AdmissionRequest, AdmissionStore } from './admission.ts';
import { type CounterScope, counterKeysOf, counterScopes } from './counterKeys.ts';
import { borrowLimitsOf, notionalLimitsOf, quoteFields, storedQuoteOf } from './createQuotes.ts';
import type { ReserveLimits, ReserveRequest } from './quotes.ts';

const admit: Statement = {
  name: 'quotes_admit',
  text: `SELECT outcome, standard_points AS "standardPoints", standard_expire AS "standardEndsAtMs",
           strict_points AS "strictPoints", strict_expire AS "strictEndsAtMs", response_status AS "responseStatus",
           response_body AS "responseBody" FROM admit_quotes($1, $2, $3)`,
};

interface AdmittedRow {
  readonly outcome: AdmissionOutcome['kind'];
  readonly standardPoints: bigint | null;
  readonly standardEndsAtMs: bigint | null;
  readonly strictPoints: bigint | null;
  readonly strictEndsAtMs: bigint | null;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
}

/** Order in which counters are locked everywhere, and the places of the limits in an item of the statement. */
const rankOf = (scope: CounterScope): number => counterScopes.indexOf(scope) + 1;

/** Takes requests for quotes in statements that several of them share. */
export function createAdmission(sql: Sql, refused: RefusedSubjects): AdmissionStore {
  const run = async (requests: readonly AdmissionRequest[]): Promise<readonly Admission[]> => {
    const nowMs = Math.max(...requests.map((request) => request.nowMs));
    const values = [`[${requests.map(itemOf).join()}]`, Date.now(), new Date(nowMs).toISOString()];
    const rows = await sql.rows<AdmittedRow>(admit, values);
    return rows.flatMap((row, index) => {
      const request = requests[index];
      return request === undefined ? [] : [{ outcome: outcomeOf(row), states: statesOf(request, row, refused) }];
    });
  };
  return { admit: shareStatements({ run, keysOf }) };
}

/** What two requests of one statement may not have in common. */
function keysOf({ idempotency, reservation }: AdmissionRequest): readonly string[] {
  return [
    ...(idempotency === null ? [] : [`${idempotency.scope}\n${idempotency.key}`]),
    ...(reservation === null ? [] : [reservation.quote.positionKey]),
  ];
}

function outcomeOf(row: AdmittedRow): AdmissionOutcome {
  if (row.outcome !== 'replay') return { kind: row.outcome };
  if (row.responseStatus === null || row.responseBody === null) throw new Error('a kept answer has no body');
  return { kind: 'replay', responseStatus: row.responseStatus, responseBody: row.responseBody };
}

function statesOf({ standard, strict }: AdmissionRequest, row: AdmittedRow, refused: RefusedSubjects) {
  const charged = [
    { charge: standard, points: row.standardPoints, endsAtMs: row.standardEndsAtMs },
    { charge: strict, points: row.strictPoints, endsAtMs: row.strictEndsAtMs },
  ];
  return charged.flatMap(({ charge, points, endsAtMs }) =>
    charge === null || points === null || endsAtMs === null
      ? []
      : [refused.stateOf(charge, { points: Number(points), endsAtMs: Number(endsAtMs) })],
  );
}

/** One item of the statement, as JSON. */
function itemOf({ standard, strict, idempotency, reservation }: AdmissionRequest): string {
  const bucketOf = (charge: typeof standard): string =>
    charge === null
      ? 'null'
      : `{"key":${JSON.stringify(charge.key)},"points":${charge.bucket.points},"window_ms":${charge.bucket.windowMs}}`;
  const claim =
    idempotency === null
      ? null
      : {
          scope: idempotency.scope,
          key: idempotency.key,
          request_hash: idempotency.requestHash,
          response_status: idempotency.responseStatus,
          response_body: idempotency.responseBody,
        };
  const reserved = reservation === null ? 'null' : reservationOf(reservation);
  return `{"standard":${bucketOf(standard)},"strict":${bucketOf(strict)},"idempotency":${JSON.stringify(claim)},"reservation":${reserved}}`;
}

function reservationOf(request: ReserveRequest): string {
  const { clusterKey, limits, releaseAtMs } = request;
  const quote = storedQuoteOf(request.quote);
  const { figures } = quote.figures;
  const counters = counterKeysOf({ ...quote, clusterKey });
  const rest = {
    position_key: quote.positionKey,
    keys: counters.map(({ key }) => key),
    ranks: counters.map(({ scope }) => rankOf(scope)),
    scopes: counters.map(({ scope }) => scope),
    notional: textOf(figures.notionalUsdPips),
    borrow: textOf(figures.borrowUsdcUnits),
    release_at: new Date(releaseAtMs).toISOString(),
    ...limitsByRankOf(limits),
    all_notional_limits: notionalLimitsOf(limits).map(textOf),
    all_borrow_limits: borrowLimitsOf(limits).map(textOf),
  };
  return `{"quote":${rowJsonOf(quoteFields, quote)},${JSON.stringify(rest).slice(1)}`;
}

/** The same limits by the rank of the counter they are compared with. */
function limitsByRankOf(limits: ReserveLimits) {
  return {
    notional_limits: [
      limits.userNotionalUsdPips,
      null,
      limits.sideNotionalUsdPips,
      limits.marketNotionalUsdPips,
      limits.partnerNotionalUsdPips,
      limits.globalNotionalUsdPips,
    ].map(textOf),
    borrow_limits: [
      limits.userBorrowUsdcUnits,
      limits.clusterBorrowUsdcUnits,
      limits.sideBorrowUsdcUnits,
      limits.marketBorrowUsdcUnits,
      null,
      limits.totalBorrowUsdcUnits,
    ].map(textOf),
    promise_limits: [null, null, limits.outcomePromisedUsdcUnits, null, null, limits.poolFreeLiquidityUsdcUnits].map(
      textOf,
    ),
  };
}

/** Bigints travel as text: a JSON number may lose digits on the way. */
function textOf(value: unknown): string | null {
  return value === null ? null : String(value);
}
