export interface GasBar {
  /** Maximum of a transaction; a snapshot above it fails. */
  readonly bar?: number;
  /** What the first vault took, in one contract and with one signature; `figures.md` of its last revision says so. */
  readonly before?: number;
  /** What a prototype took, where the design sets no bar. */
  readonly prototype?: number;
  readonly anchor?: string;
}

/** Bars and prototype of the protocol's design, the first vault, and published figures of comparable steps, in gas. */
export const gasBars: Readonly<Record<string, GasBar>> = {
  createPosition: {
    bar: 170_000,
    before: 149_678,
    anchor: 'signed order of an intent exchange: 144,949; limit order of a perpetuals exchange: 3 to 4 million',
  },
  registerOutcome: { bar: 130_000, before: 121_888 },
  'authorizeOrder open': { bar: 260_000, before: 245_291 },
  'finalize open': { bar: 127_000, before: 119_953, anchor: 'borrow of a lending market: 114,615' },
  'authorizeOrder close': { bar: 130_000, before: 115_725 },
  'authorizeOrder close part': { bar: 130_000, before: 115_750 },
  'authorizeOrder unwind': { bar: 130_000, before: 115_988 },
  'authorizeOrder liquidate': { bar: 130_000, before: 115_365 },
  'finalize close': { bar: 145_000, before: 117_463 },
  'finalize close part': { bar: 145_000, before: 126_876 },
  'finalize unwind': { bar: 145_000, before: 135_296 },
  'finalize liquidate': { bar: 145_000, before: 117_088, anchor: 'liquidation of a lending market: 124,293' },
  'settle won': { bar: 175_000, before: 136_225 },
  'settle lost': { bar: 175_000, before: 116_182 },
  'settle void': { bar: 175_000, before: 137_981 },
  requestClose: { before: 54_800, prototype: 54_383 },
  exitByRepaying: { before: 126_452, prototype: 128_000 },
  addMargin: { before: 88_424, prototype: 82_000 },
  claim: { before: 61_892, prototype: 50_000 },
  'matchOrders open (venue)': {
    before: 229_855,
    prototype: 255_000,
    anchor: "match of the real venue's exchange: 134,594",
  },
  cancelPosition: { before: 110_763 },
  'finalize open, user without USDC': { before: 137_053 },
  'finalize refund': { before: 119_433 },
  'finalizeMany of two openings': { before: 183_147 },
  'matchOrders close (venue)': { before: 205_171 },
  'matchOrders liquidate (venue)': { before: 205_159 },
  'matchOrders sale (venue)': { before: 210_019 },
  'matchOrders unwind (venue)': { before: 210_031 },
  'pool deposit': { before: 64_190 },
  'pool fundReserve': { before: 45_374 },
  'pool payTreasury': { before: 66_593 },
  'pool redeem': { before: 84_130 },
  'pool requestRedeem': { before: 98_815 },
  'settle with a filled sale': { before: 182_062 },
};

/** What breaks a bar, or has one and was not measured; gas by the name of its transaction, as the snapshot holds it. */
export function brokenGasBars(snapshot: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(gasBars).flatMap(([name, { bar }]) => {
    const used = snapshot[name];
    if (used === undefined) return [`${name} has a bar and was not measured`];
    return bar !== undefined && Number(used) > bar ? [`${name} takes ${used} gas, more than ${bar}`] : [];
  });
}
