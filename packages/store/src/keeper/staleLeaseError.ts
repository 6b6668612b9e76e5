/** Error of a keeper whose lease another keeper has acquired: it writes nothing more. */
export class StaleLeaseError extends Error {
  override readonly name = 'StaleLeaseError';
}
