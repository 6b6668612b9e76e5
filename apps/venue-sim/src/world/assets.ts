/** Parameters of one simulated spot price. */
export interface Asset {
  readonly symbol: AssetSymbol;
  /** Name in slugs and titles. */
  readonly slugName: string;
  readonly title: string;
  readonly startPriceUsd: number;
  /** Standard deviation of a year's logarithmic return, jumps aside. */
  readonly yearlyVolatility: number;
  readonly jumpsPerDay: number;
  /** Standard deviation of one jump's logarithmic size. */
  readonly jumpSize: number;
  /** Share of the movement that all assets have in common. */
  readonly commonShare: number;
  readonly priceDecimals: number;
  /** Distance of neighbouring strikes in dollars. */
  readonly strikeStepUsd: number;
}

export type AssetSymbol = 'BTC' | 'ETH' | 'SOL' | 'XRP';

export const assets: readonly Asset[] = [
  {
    symbol: 'BTC',
    slugName: 'bitcoin',
    title: 'Bitcoin',
    startPriceUsd: 71_240,
    yearlyVolatility: 0.45,
    jumpsPerDay: 5,
    jumpSize: 0.0035,
    commonShare: 0.8,
    priceDecimals: 2,
    strikeStepUsd: 500,
  },
  {
    symbol: 'ETH',
    slugName: 'ethereum',
    title: 'Ethereum',
    startPriceUsd: 2_085,
    yearlyVolatility: 0.62,
    jumpsPerDay: 6,
    jumpSize: 0.0045,
    commonShare: 0.75,
    priceDecimals: 2,
    strikeStepUsd: 20,
  },
  {
    symbol: 'SOL',
    slugName: 'solana',
    title: 'Solana',
    startPriceUsd: 87.5,
    yearlyVolatility: 0.78,
    jumpsPerDay: 8,
    jumpSize: 0.006,
    commonShare: 0.7,
    priceDecimals: 3,
    strikeStepUsd: 1,
  },
  {
    symbol: 'XRP',
    slugName: 'xrp',
    title: 'XRP',
    startPriceUsd: 1.43,
    yearlyVolatility: 0.8,
    jumpsPerDay: 8,
    jumpSize: 0.006,
    commonShare: 0.65,
    priceDecimals: 5,
    strikeStepUsd: 0.01,
  },
];
