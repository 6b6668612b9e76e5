/** Names of what the page has read from the service. */
export const queryKeys = {
  markets: ['markets'],
  feeRates: (ticker: string) => ['feeRates', ticker],
  terms: (ticker: string, side: string) => ['terms', ticker, side],
  contractInfo: ['contractInfo'],
  /** All that a change of a position may change. */
  positions: ['positions'],
  positionList: ['positions', 'list'],
  limits: ['positions', 'limits'],
  walletFigures: ['positions', 'wallet'],
  requirements: (id: string) => ['positions', 'requirements', id],
  debt: (key: string) => ['positions', 'debt', key],
  partialCloses: (id: string) => ['positions', 'partialCloses', id],
  /** The position of a page of its own. */
  openedPosition: ['positions', 'one'],
  position: (id: string) => ['positions', 'one', id],
  transactions: (id: string) => ['positions', 'transactions', id],
} as const;
