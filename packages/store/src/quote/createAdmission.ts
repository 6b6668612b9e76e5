import { noUsage, type UsageByScope, type UsageCounters } from '@core/policy';
import type { Side } from '@core/position';
import { raw } from '@core/pricing';
import { rowJsonOf } from '../database/columns.ts';
import { shareStatements } from '../database/shareStatements.ts';
import type { Sql, Statement } from '../database/sql.ts';
import type { RefusedSubjects } from '../service/refusedSubjects.ts';
import type { Admission, AdmissionOutcome, AdmissionRequest } from './admission.ts';
import { counterKeysOf } from './counterKeys.ts';
import type { ReserveLimits, ReserveRequest } from './createQuotes.ts';
import { quoteFields, storedQuoteOf } from './createQuotes.ts';

const admit: Statement = {
  name: 'quotes_admit',
  text: `SELECT outcome, standard_points AS "standardPoints", standard_expire AS "standardEndsAtMs",
           strict_points AS "strictPoints", strict_expire AS "strictEndsAtMs", response_status AS "responseStatus",
           response_body AS "responseBody", usage FROM admit_quotes($1, $2, $3)`,
};

interface AdmittedRow {
  readonly outcome: AdmissionOutcome['kind'];
  readonly standardPoints: bigint | null;
  readonly standardEndsAtMs: bigint | null;
  readonly strictPoints: bigint | null;
  readonly strictEndsAtMs: bigint | null;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  /** Of a refusal: counters by their scope. */
  readonly usage: Readonly<Partial<Record<keyof ReserveLimits, UsageCounters>>> | null;
}

/** Admit requests for quotes in statements that several of them share. */
export function createAdmission(sql: Sql, refused: RefusedSubjects) {
  const run = async (requests: readonly AdmissionRequest[]): Promise<readonly Admission[]> => {
    const nowMs = Math.max(...requests.map((request) => request.nowMs));
    const values = [`[${requests.map(itemOf).join()}]`, Date.now(), new Date(nowMs).toISOString()];
    const rows = await sql.rows<AdmittedRow>(admit, values);
    return rows.flatMap((row, index) => {
      const request = requests[index];
      return request === undefined
        ? []
        : [{ outcome: outcomeOf(request, row), states: statesOf(request, row, refused) }];
    });
  };
  return { admit: shareStatements({ run, keysOf }) };
}

/** Return the keys that no two requests of one statement may share. */
function keysOf({ idempotency, reservation }: AdmissionRequest): readonly string[] {
  return [
    ...(idempotency === null ? [] : [`${idempotency.scope}\n${idempotency.key}`]),
    ...(reservation === null ? [] : [reservation.quote.positionKey]),
  ];
}

function outcomeOf({ reservation }: AdmissionRequest, row: AdmittedRow): AdmissionOutcome {
  switch (row.outcome) {
    case 'replay':
      if (row.responseStatus === null || row.responseBody === null) throw new Error('a stored answer has no body');
      return { kind: 'replay', responseStatus: row.responseStatus, responseBody: row.responseBody };
    case 'refused':
      if (row.usage === null || reservation === null) throw new Error('a refusal has no usage');
      return { kind: 'refused', usage: usageOf(row.usage, reservation.quote.side) };
    default:
      return { kind: row.outcome };
  }
}

function usageOf(counters: NonNullable<AdmittedRow['usage']>, side: Side): UsageByScope {
  const of = (scope: keyof ReserveLimits): UsageCounters => counters[scope] ?? noUsage;
  return {
    user: of('user'),
    market: of('market'),
    yes: side === 'yes' ? of('side') : noUsage,
    no: side === 'no' ? of('side') : noUsage,
    cluster: of('cluster'),
    partner: of('partner'),
    global: of('global'),
  };
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

/** Write one item of the statement as JSON. */
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

/** Bigints are texts: a JSON number may lose digits. Written by hand: a replacer is called for every entry. */
function reservationOf(request: ReserveRequest): string {
  const { clusterKey, limits, releaseAtMs } = request;
  const quote = storedQuoteOf(request.quote);
  const { notionalUsdPips, borrowUsdcUnits } = quote.figures.figures;
  const caps = Object.entries(limits).map(([scope, ofScope]) => `"${scope}":{${capsOf(ofScope)}}`);
  const fields = [
    `"quote":${rowJsonOf(quoteFields, quote)}`,
    `"position_key":"${quote.positionKey}"`,
    `"keys":${JSON.stringify(counterKeysOf({ ...quote, clusterKey }))}`,
    `"notional":"${raw(notionalUsdPips)}"`,
    `"borrow":"${raw(borrowUsdcUnits)}"`,
    `"release_at":"${new Date(releaseAtMs).toISOString()}"`,
    `"limits":{${caps.join()}}`,
  ];
  return `{${fields.join()}}`;
}

function capsOf(caps: ReserveLimits[keyof ReserveLimits]): string {
  return Object.entries(caps)
    .map(([measure, cap]) => (cap === null ? `"${measure}":null` : `"${measure}":"${raw(cap)}"`))
    .join();
}

export type AdmissionStore = ReturnType<typeof createAdmission>;
