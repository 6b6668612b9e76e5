export interface GasBar {
  /** Maximum of a transaction; a snapshot above it fails. */
  readonly bar?: number;
  /** What a prototype took, where the design sets no bar. */
  readonly prototype?: number;
  readonly anchor?: string;
}

/** Bars and prototype of the protocol's design, and published figures of comparable steps, in gas. */
export const gasBars: Readonly<Record<string, GasBar>> = {
  createPosition: {
    bar: 170_000,
    anchor: 'signed order of an intent exchange: 144,949; limit order of a perpetuals exchange: 3 to 4 million',
  },
  registerOutcome: { bar: 130_000 },
  'authorizeOrder open': { bar: 260_000 },
  'finalize open': { bar: 127_000, anchor: 'borrow of a lending market: 114,615' },
  'authorizeOrder close': { bar: 130_000 },
  'authorizeOrder close part': { bar: 130_000 },
  'authorizeOrder unwind': { bar: 130_000 },
  'authorizeOrder liquidate': { bar: 130_000 },
  'finalize close': { bar: 145_000 },
  'finalize close part': { bar: 145_000 },
  'finalize unwind': { bar: 145_000 },
  'finalize liquidate': { bar: 145_000, anchor: 'liquidation of a lending market: 124,293' },
  'settle won': { bar: 175_000 },
  'settle lost': { bar: 175_000 },
  'settle void': { bar: 175_000 },
  requestClose: { prototype: 54_383 },
  exitByRepaying: { prototype: 128_000 },
  addMargin: { prototype: 82_000 },
  claim: { prototype: 50_000 },
  'matchOrders open (venue)': { prototype: 255_000, anchor: "match of the real venue's exchange: 134,594" },
};

/** What breaks a bar, or has one and was not measured; gas by the name of its transaction, as the snapshot holds it. */
export function brokenGasBars(snapshot: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(gasBars).flatMap(([name, { bar }]) => {
    const used = snapshot[name];
    if (used === undefined) return [`${name} has a bar and was not measured`];
    return bar !== undefined && Number(used) > bar ? [`${name} takes ${used} gas, more than ${bar}`] : [];
  });
}
