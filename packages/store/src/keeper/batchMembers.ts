/**
 * Condition of a member that has not ended for good, of the batch in this common table expression. A member has the
 * subject of its batch as its order hash, and moves with it in one statement.
 */
export const movesWithBatch = (batch: string): string =>
  `member.order_hash = ${batch}.subject
   AND member.state IN ('prepared', 'signed', 'broadcast', 'reorged', 'included', 'replaced')`;
