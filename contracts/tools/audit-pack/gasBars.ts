export interface GasBar {
  /** Maximum of a transaction; a snapshot above it fails. */
  readonly bar?: number;
  /** Gas of the first vault, in one contract and with one signature; `figures.md` of its last revision says so. */
  readonly before?: number;
  /** Gas of a prototype, where the design sets no bar. */
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
  'wrapped: authorizeOrder open': { bar: 262_000 },
  'wrapped: finalize open': { bar: 130_000 },
  'wrapped: settle won': { bar: 300_000 },
  'wrapped: settle lost': { bar: 120_000 },
  'authorizeGrant open': { bar: 235_000, prototype: 220_780 },
  'authorizeGrant close': { bar: 95_000, prototype: 87_171 },
  'authorizeGrant close part': { bar: 95_000, prototype: 87_171 },
  'authorizeGrant unwind': { bar: 95_000 },
  'authorizeGrant liquidate': { bar: 95_000, prototype: 86_720 },
  'authorizeMany of 16 liquidations, each': { bar: 51_873 },
  'authorizeMany of 16 unwinds, each': { bar: 51_873 },
  'fillMany of 16 liquidations, each': { bar: 100_000 },
  'fillMany of 16 unwinds, each': { bar: 115_000 },
  'fill open': { bar: 200_000, prototype: 186_173 },
  'fill close': { bar: 190_000 },
  'fill close part': { bar: 190_000, prototype: 174_860 },
  'fill unwind': { bar: 190_000 },
  'fill liquidate': { bar: 190_000, prototype: 162_781 },
  'fill open with pairs': { bar: 310_000 },
  'wrapped: authorizeGrant open': { bar: 240_000 },
  'wrapped: authorizeGrant close part': { bar: 95_000 },
  'wrapped: fill open': { bar: 200_000 },
  'wrapped: fill open with pairs': { bar: 450_000 },
  'wrapped: fill close part': { bar: 190_000 },
  'managed: registerManagedOutcome': { bar: 145_000 },
  'managed: authorizeGrant open': { bar: 250_000 },
  'managed: authorizeGrant close part': { bar: 110_000 },
  'managed: fill open': { bar: 215_000 },
  'managed: fill open with pairs': { bar: 340_000 },
  'managed: fill close part': { bar: 205_000 },
  'managed: settle won': { bar: 220_000 },
  'managed: settle lost': { bar: 140_000 },
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
  'endGrant unfilled': {},
  'endGrant with a part sold': {},
  'fill that leaves a part': {},
  'finalize unfilled grant': { prototype: 112_670 },
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

/** Return what breaks a bar, or has one and was not measured; gas by the transaction's name in the snapshot. */
export function brokenGasBars(snapshot: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(gasBars).flatMap(([name, { bar }]) => {
    const used = snapshot[name];
    if (used === undefined) return [`${name} has a bar and was not measured`];
    return bar !== undefined && Number(used) > bar ? [`${name} takes ${used} gas, more than ${bar}`] : [];
  });
}
