/** Keys of data that the page has read from the service. */
export const queryKeys = {
  markets: ['markets'],
  priceHistory: (ticker: string, range: string) => ['priceHistory', ticker, range],
  orderBook: (ticker: string) => ['orderBook', ticker],
  rules: (ticker: string) => ['rules', ticker],
  statistics: (tickers: string) => ['statistics', tickers],
  feeRates: (ticker: string) => ['feeRates', ticker],
  terms: (ticker: string, side: string, order: string) => ['terms', ticker, side, order],
  contractInfo: ['contractInfo'],
  /** Prefix of all data that a position event may change. */
  positions: ['positions'],
  positionList: ['positions', 'list'],
  limits: ['positions', 'limits'],
  walletFigures: ['positions', 'wallet'],
  usdcBalance: ['positions', 'wallet', 'usdc'],
  requirements: (id: string) => ['positions', 'requirements', id],
  claimable: (key: string) => ['positions', 'claimable', key],
  /** Position of the position page. */
  openedPosition: ['positions', 'one'],
  position: (id: string) => ['positions', 'one', id],
  transactions: (id: string) => ['positions', 'transactions', id],
} as const;
