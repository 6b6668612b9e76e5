import { raw } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type EventPart,
  nothing,
  positionOf,
  reduced,
  tokens,
  untilOpen,
  usdc,
} from '../../testing/positionHistory.ts';
import type { LivePurpose, PositionStateName } from '../states/transitions.ts';

/** One distribution of an account's money: what came in, the share others took, whether the user could receive. */
interface Step {
  readonly cameInUsdcUnits: number;
  readonly takenShare: number;
  readonly isBlocked: boolean;
}

/** An account as the vault treats it: whatever is in it is divided, and what cannot be paid stays. */
class ModelAccount {
  /** Credited to the user and still there. */
  waiting = 0;
  received = 0;
  paidIn = 0;
  readonly events: EventPart[] = [...untilOpen];
  #heldUnits = 200_000_000;

  /** The refund of the opening; its event stands in the history already. */
  refund(isBlocked: boolean): void {
    this.pay(100_000, isBlocked);
  }

  reduce(step: Step, purpose: LivePurpose, state: PositionStateName): void {
    const { cash, taken } = this.#divided(step);
    const distribution = {
      ...nothing,
      proceedsUsdcUnits: usdc(cash),
      liquidationFeeUsdcUnits: usdc(taken),
      userUsdcUnits: usdc(cash - taken),
    };
    this.#heldUnits -= 5_000_000;
    const sold = { soldTokenUnits: tokens(5_000_000), tokenUnits: tokens(this.#heldUnits) };
    this.events.push({ ...reduced(purpose, state, { distribution, ...sold }), sameAsBefore: false });
    this.pay(cash - taken, step.isBlocked);
  }

  settle(step: Step): void {
    const { cash, taken } = this.#divided(step);
    const distribution = { ...nothing, liquidationFeeUsdcUnits: usdc(taken), userUsdcUnits: usdc(cash - taken) };
    this.events.push({ name: 'PositionSettled', args: { tokenUnits: tokens(1), distribution } });
    this.pay(cash - taken, step.isBlocked);
  }

  /** The user repays from the wallet, and gets all that is in the account. */
  exit({ cameInUsdcUnits, isBlocked }: Step): void {
    const cash = this.waiting + cameInUsdcUnits;
    const principalUsdcUnits = usdc(cameInUsdcUnits);
    this.paidIn += cameInUsdcUnits;
    const distribution = { ...nothing, principalUsdcUnits, userUsdcUnits: usdc(cash) };
    const args = { tokenUnits: tokens(1), distribution };
    this.events.push({ name: 'PositionExited', args });
    this.pay(cash, isBlocked);
  }

  claim({ cameInUsdcUnits, isBlocked }: Step): void {
    const cash = this.waiting + cameInUsdcUnits;
    if (cash === 0) return;
    const userUsdcUnits = usdc(cash);
    const args = { userUsdcUnits, recoveredUsdcUnits: usdc(0), tokenUnits: tokens(0) };
    this.pay(cash, isBlocked, false);
    this.events.push({ name: 'Claimed', args, sameAsBefore: isBlocked });
  }

  /** The vault emits a deferral after the event it belongs to, of a claim before it. */
  pay(units: number, isBlocked: boolean, sameAsBefore = true): void {
    this.waiting = isBlocked ? units : 0;
    this.received += isBlocked ? 0 : units;
    if (isBlocked && units > 0) {
      this.events.push({ name: 'PaymentDeferred', args: { usdcUnits: usdc(units) }, sameAsBefore });
    }
  }

  #divided({ cameInUsdcUnits, takenShare }: Step): { readonly cash: number; readonly taken: number } {
    const cash = this.waiting + cameInUsdcUnits;
    return { cash, taken: Math.floor(cash * takenShare) };
  }
}

const ends = {
  closed: (account: ModelAccount, step: Step) => account.reduce(step, 'close', 'closed'),
  liquidated: (account: ModelAccount, step: Step) => account.reduce(step, 'liquidate', 'liquidated'),
  settled: (account: ModelAccount, step: Step) => account.settle(step),
  exited: (account: ModelAccount, step: Step) => account.exit(step),
} as const;

/** Return the user's gain by the record, and the part of it that still waits. */
function recordedOf(account: ModelAccount): { readonly gainUsdcUnits: number; readonly waitingUsdcUnits: number } {
  const position = positionOf(...account.events);
  if (position === undefined) throw new Error('the history has a creation');
  const { refundedUsdcUnits, proceedsUsdcUnits, repaidMarginUsdcUnits, deferredUsdcUnits } = position;
  return {
    gainUsdcUnits: Number(raw(refundedUsdcUnits) + raw(proceedsUsdcUnits) - raw(repaidMarginUsdcUnits)),
    waitingUsdcUnits: Number(raw(deferredUsdcUnits)),
  };
}

/** The same as the model knows it: each unit once. */
function ownOf({ received, waiting, paidIn }: ModelAccount): ReturnType<typeof recordedOf> {
  return { gainUsdcUnits: received + waiting - paidIn, waitingUsdcUnits: waiting };
}

test("law: with any deferred payments, refund, proceeds and repaid margin equal the user's receipts", () => {
  const step = fc.record({
    cameInUsdcUnits: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 50_000_000 })),
    takenShare: fc.oneof(fc.constant(0), fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
    isBlocked: fc.boolean(),
  });
  const purposes = fc.constantFrom('close', 'unwind', 'liquidate');
  const life = fc.record({
    isRefundBlocked: fc.boolean(),
    sales: fc.array(fc.tuple(step, purposes), { maxLength: 4 }),
    end: fc.constantFrom('closed', 'liquidated', 'settled', 'exited'),
    last: step,
    claims: fc.array(step, { maxLength: 4 }),
  });
  fc.assert(
    fc.property(life, ({ isRefundBlocked, sales, end, last, claims }) => {
      const account = new ModelAccount();
      account.refund(isRefundBlocked);
      expect(recordedOf(account)).toEqual(ownOf(account));
      for (const [sold, purpose] of sales) {
        account.reduce(sold, purpose, 'open');
        expect(recordedOf(account)).toEqual(ownOf(account));
      }
      ends[end](account, last);
      expect(recordedOf(account)).toEqual(ownOf(account));
      for (const claim of claims) {
        account.claim(claim);
        expect(recordedOf(account)).toEqual(ownOf(account));
      }
    }),
    { numRuns: 1_000 },
  );
});
