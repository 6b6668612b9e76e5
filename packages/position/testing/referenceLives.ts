import { leverageBps, raw, snapQuote, usdPips } from '@core/pricing';
import * as fc from 'fast-check';
import { ReferenceVault } from './referenceVault.ts';

/** One thing that happens to an open position. */
export interface ReferenceStep {
  readonly kind: 'close' | 'unwind' | 'liquidate' | 'addMargin' | 'emptyOrder';
  /** Of the tokens held, or of the debt. */
  readonly shareBps: bigint;
  readonly pricePips: bigint;
  readonly feeBps: bigint;
  readonly seconds: number;
  /** Sent to the account by anyone before. */
  readonly given: bigint;
  readonly isBlocked: boolean;
}

const anyGiven = fc.oneof({ weight: 5, arbitrary: fc.constant(0n) }, fc.bigInt(1n, 5_000_000n));
const anyBlocked = fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true));

export const anyStep: fc.Arbitrary<ReferenceStep> = fc.record({
  kind: fc.oneof(
    { weight: 4, arbitrary: fc.constant('close' as const) },
    { weight: 3, arbitrary: fc.constant('unwind' as const) },
    { weight: 3, arbitrary: fc.constant('liquidate' as const) },
    { weight: 3, arbitrary: fc.constant('addMargin' as const) },
    { weight: 1, arbitrary: fc.constant('emptyOrder' as const) },
  ),
  shareBps: fc.bigInt(500n, 6_000n),
  pricePips: fc.bigInt(1n, 9_999n),
  feeBps: fc.bigInt(0n, 500n),
  seconds: fc.integer({ min: 0, max: 1_000_000 }),
  given: anyGiven,
  isBlocked: anyBlocked,
});

/** A whole life: terms, opening, what happens, an end, and claims after it. */
export const anyLife = fc.record({
  notionalUsdPips: fc.bigInt(1_000_000n, 10n ** 8n),
  leverageQuarters: fc.bigInt(6n, 40n),
  entryPips: fc.bigInt(500n, 9_500n),
  filledBps: fc.bigInt(2_000n, 10_000n),
  openFeeBps: fc.bigInt(0n, 10_000n),
  aprBps: fc.bigInt(0n, 2_000n),
  liquidationFeeBps: fc.bigInt(0n, 1_000n),
  isRefundBlocked: anyBlocked,
  end: fc.constantFrom('close', 'liquidate', 'settle', 'exit', 'open', 'cancelled', 'reverted'),
  steps: fc.array(anyStep, { maxLength: 6 }),
  last: anyStep,
  claims: fc.array(fc.record({ given: anyGiven, isBlocked: anyBlocked }), { maxLength: 3 }),
});

export type ReferenceLife = typeof anyLife extends fc.Arbitrary<infer Life> ? Life : never;

/** A vault in which the life's position is created, and open unless its end is a refund. */
export function openedVaultOf(life: ReferenceLife): ReferenceVault {
  const leverage = life.leverageQuarters * 2_500n;
  const size = snapQuote({ notionalUsdPips: usdPips(life.notionalUsdPips), leverageBps: leverageBps(leverage) });
  const notional = raw(size.notionalUsdcUnits);
  const vault = new ReferenceVault({
    collateral: raw(size.collateralUsdcUnits),
    notional,
    leverageBps: leverage,
    venueFee: notional / 20n,
    origination: notional / 50n,
    aprBps: life.aprBps,
    liquidationFeeBps: life.liquidationFeeBps,
  });
  vault.pass(4);
  if (life.end === 'cancelled' || life.end === 'reverted') {
    vault.refund(life.end, life.isRefundBlocked);
    return vault;
  }
  const fill = (notional * life.filledBps) / 10_000n;
  const fee = ((notional / 20n) * life.openFeeBps) / 10_000n;
  vault.open({ filled: fill, fee, tokens: (fill * 10_000n) / life.entryPips, isBlocked: life.isRefundBlocked });
  return vault;
}

/** A sale at the step's price. */
function saleOf(step: ReferenceStep, sold: bigint) {
  const gross = (sold * step.pricePips) / 10_000n;
  return { sold, gross, fee: (gross * step.feeBps) / 10_000n, isBlocked: step.isBlocked };
}

export function playStep(vault: ReferenceVault, step: ReferenceStep): void {
  vault.pass(step.seconds);
  vault.give(step.given);
  const part = (vault.tokens * step.shareBps) / 10_000n;
  switch (step.kind) {
    case 'close':
    case 'unwind':
    case 'liquidate':
      return vault.sell(step.kind, saleOf(step, part));
    case 'addMargin':
      return vault.addMargin((vault.debt * step.shareBps) / 5_000n);
    case 'emptyOrder':
      return vault.sell('close', saleOf(step, 0n));
  }
}

function playEnd(vault: ReferenceVault, { end, last, claims }: ReferenceLife): void {
  vault.pass(last.seconds);
  vault.give(last.given);
  if (end === 'close' || end === 'liquidate') vault.sell(end, saleOf(last, vault.tokens));
  if (end === 'settle') vault.settle((vault.tokens * last.pricePips) / 10_000n, last.isBlocked);
  if (end === 'exit') vault.exit(last.isBlocked);
  if (end === 'open') return;
  for (const claim of claims) {
    vault.pass(60);
    vault.give(claim.given);
    vault.claim(claim.isBlocked);
  }
}

/** Play a life to its end; `afterEach` sees the vault after every event. */
export function playLife(life: ReferenceLife, afterEach: (vault: ReferenceVault, step: ReferenceStep | null) => void) {
  const vault = openedVaultOf(life);
  afterEach(vault, null);
  if (vault.state === 'open') {
    for (const step of life.steps) {
      playStep(vault, step);
      afterEach(vault, step);
    }
  }
  playEnd(vault, life);
  afterEach(vault, null);
  return vault;
}
