/** Exit codes of the command line. Scripts branch on them. */
export const exitCodes = {
  done: 0,
  bug: 1,
  usage: 2,
  refused: 3,
  credentials: 4,
  network: 5,
  outcomeUnknown: 6,
  checkFailed: 7,
} as const;
