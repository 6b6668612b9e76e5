import { leverageBps, lifetimeFeeOf, pricePips, rateBps, raw, tokenUnits, usdcUnits } from '@core/pricing';
import type {
  Distribution,
  LivePurpose,
  PositionEvent,
  PositionEventArguments,
  PositionEventName,
  PositionStateName,
} from '../src/index.ts';
import { hashOf, sampleNowMs, walletOf } from './samples.ts';
import { openingSplitOf, waterfallOf } from './settlement.ts';

/** Terms of a position that plays its life in the reference vault, in whole units. */
export interface ReferenceTerms {
  readonly collateral: bigint;
  readonly notional: bigint;
  readonly leverageBps: bigint;
  readonly venueFee: bigint;
  readonly origination: bigint;
  readonly aprBps: bigint;
  readonly liquidationFeeBps: bigint;
}

/** Fill of a sale order: tokens, the venue's payment before its fee, and whether the user can receive. */
export interface ReferenceSale {
  readonly sold: bigint;
  readonly gross: bigint;
  readonly fee: bigint;
  readonly isBlocked: boolean;
}

/** Fewer token units than this are dust: the position is finished. */
const dustTokenUnits = 10_000n;
const orderHash = hashOf(50);

const smaller = (left: bigint, right: bigint): bigint => (left < right ? left : right);
const shareUp = (amount: bigint, part: bigint, whole: bigint): bigint => (amount * part + whole - 1n) / whole;

/**
 * Model of the vault's money: everything in the account is divided, and the unpaid part stays in it. Plays one
 * position, emits its events, and counts receipts of pool, venue and user, so that a fold can be compared with it.
 */
export class ReferenceVault {
  readonly terms: ReferenceTerms;
  readonly events: PositionEvent[] = [];
  state: PositionStateName = 'pending';
  tokens = 0n;
  principal = 0n;
  pending = 0n;
  badDebt = 0n;
  /** USDC in the account. */
  cash: bigint;
  /** Of that, creditUnits to the user before. */
  waiting = 0n;
  /** C, o and the two parts of v as DEFINITIONS 4 scales them. */
  basis: { collateral: bigint; origination: bigint; openFee: bigint; saleFee: bigint };
  /** Whole-life totals. */
  readonly pool = { lifetimeFee: 0n, liquidationFee: 0n, origination: 0n };
  readonly venue = { openFee: 0n, saleFee: 0n };
  /**
   * Received or creditUnits at the opening, afterwards, and repaid of the debt from the wallet or the waiting money.
   */
  readonly user = { refunded: 0n, proceeds: 0n, repaid: 0n };
  #sinceMs = sampleNowMs;
  #nowMs = sampleNowMs;
  #block = 0;

  constructor(terms: ReferenceTerms) {
    this.terms = terms;
    this.cash = terms.collateral + terms.venueFee + terms.origination;
    this.basis = { collateral: terms.collateral, origination: terms.origination, openFee: 0n, saleFee: 0n };
    this.#emit('PositionCreated', {
      positionKey: hashOf(1),
      user: walletOf(1),
      account: walletOf(2),
      originationFeeUsdcUnits: usdcUnits(terms.origination),
      request: {
        venueMarketId: hashOf(2),
        venueTokenId: 11n,
        collateralUsdcUnits: usdcUnits(terms.collateral),
        leverageBps: leverageBps(terms.leverageBps),
        notionalUsdcUnits: usdcUnits(terms.notional),
        originationFeeBps: rateBps(0n),
        lifetimeFeeAprBps: rateBps(terms.aprBps),
        liquidationFeeBps: rateBps(terms.liquidationFeeBps),
        venueFeeUsdcUnits: usdcUnits(terms.venueFee),
        minPositionTokenUnits: tokenUnits(0n),
        maxLiquidationPricePips: pricePips(9_999n),
        minFillBps: rateBps(2_000n),
      },
    });
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Lifetime fees due now. */
  get fees(): bigint {
    if (this.state !== 'open') return 0n;
    const accrued = lifetimeFeeOf({
      principalUsdcUnits: usdcUnits(this.principal),
      lifetimeFeeAprBps: rateBps(this.terms.aprBps),
      elapsedSeconds: (this.#nowMs - this.#sinceMs) / 1_000,
    });
    return this.pending + raw(accrued);
  }

  get debt(): bigint {
    return this.principal + this.badDebt + this.fees;
  }

  pass(seconds: number): void {
    this.#nowMs += seconds * 1_000;
  }

  /** Money that anyone sent to the account. */
  give(units: bigint): void {
    this.cash += units;
  }

  /** The first order lends and fills; the end of the opening splits what is left. */
  open(opening: {
    readonly filled: bigint;
    readonly fee: bigint;
    readonly tokens: bigint;
    readonly isBlocked: boolean;
  }): void {
    const { collateral, notional, venueFee, origination } = this.terms;
    const lent = notional - collateral;
    this.#authorize('open');
    this.principal = lent;
    this.cash += lent - opening.filled - opening.fee;
    this.#emit('OrderFilled', { orderHash, side: 'buy', feeUsdcUnits: usdcUnits(opening.fee) });
    this.#emit('OrderEnded', { purpose: 'open', filledMakerAmount: opening.filled });
    const split = openingSplitOf({
      collateralUsdcUnits: usdcUnits(collateral),
      notionalUsdcUnits: usdcUnits(notional),
      lentUsdcUnits: usdcUnits(lent),
      venueFeeUsdcUnits: usdcUnits(venueFee),
      originationFeeUsdcUnits: usdcUnits(origination),
      filledUsdcUnits: usdcUnits(opening.filled),
      cashUsdcUnits: usdcUnits(this.cash),
      tokenUnits: tokenUnits(opening.tokens),
    });
    this.state = 'open';
    this.tokens = opening.tokens;
    this.principal = raw(split.principalUsdcUnits);
    this.#sinceMs = this.#nowMs;
    this.pool.origination = raw(split.originationFeeUsdcUnits);
    this.venue.openFee = raw(split.tradingFeeUsdcUnits);
    this.basis = {
      collateral: shareUp(collateral, raw(split.tradeUsdcUnits), notional),
      origination: this.pool.origination,
      openFee: this.venue.openFee,
      saleFee: 0n,
    };
    this.user.refunded = raw(split.userRefundUsdcUnits);
    this.#emitWith('PositionOpened', {
      tokenUnits: tokenUnits(opening.tokens),
      tradeUsdcUnits: split.tradeUsdcUnits,
      spentUsdcUnits: split.spentUsdcUnits,
      principalUsdcUnits: split.principalUsdcUnits,
      originationFeeUsdcUnits: split.originationFeeUsdcUnits,
      refundUsdcUnits: split.userRefundUsdcUnits,
      exitBufferBps: rateBps(800n),
    });
    this.#pay(raw(split.poolRefundUsdcUnits) + this.pool.origination, this.user.refunded, opening.isBlocked);
  }

  /** An opening that bought nothing. */
  refund(state: 'cancelled' | 'reverted', isBlocked: boolean): void {
    if (state === 'cancelled') this.#emit('CancelRequested', {});
    this.state = state;
    this.user.refunded = this.cash;
    this.#emit('PositionRefunded', {
      state,
      refundUsdcUnits: usdcUnits(this.cash),
      badDebtUsdcUnits: usdcUnits(0n),
    });
    this.#pay(0n, this.cash, isBlocked);
  }

  /** A sale order from its authorisation to its booking; one that sold nothing books only what waits in the account. */
  sell(purpose: Exclude<LivePurpose, 'open'>, sale: ReferenceSale): void {
    this.#authorize(purpose);
    if (sale.sold > 0n) {
      this.cash += sale.gross - sale.fee;
      this.venue.saleFee += sale.fee;
      this.#emit('OrderFilled', { orderHash, side: 'sell', feeUsdcUnits: usdcUnits(sale.fee) });
    }
    this.#emit('OrderEnded', { purpose, filledMakerAmount: sale.sold });
    if (sale.sold === 0n && this.cash === 0n) return;
    const tokens = this.tokens;
    this.tokens -= sale.sold;
    const isFinished = this.tokens < dustTokenUnits;
    const isPart = purpose === 'close' && !isFinished;
    const distribution = this.#divide({
      cash: this.cash,
      part: isPart ? { sold: sale.sold, held: tokens } : null,
      liquidationFeeBps: purpose === 'liquidate' ? this.terms.liquidationFeeBps : 0n,
      isFinished,
    });
    if (isFinished) this.state = purpose === 'liquidate' ? 'liquidated' : 'closed';
    this.#scaleBasis(isPart ? { sold: sale.sold, held: tokens } : null, sale.fee);
    this.#emitWith('PositionReduced', {
      purpose,
      state: this.state,
      soldTokenUnits: tokenUnits(sale.sold),
      tokenUnits: tokenUnits(this.tokens),
      distribution,
    });
    this.#payOut(distribution, sale.isBlocked);
  }

  /** A part takes its share with it, and the fee of its own sale; an unwind leaves its fee (DEFINITIONS 4). */
  #scaleBasis(part: { readonly sold: bigint; readonly held: bigint } | null, fee: bigint): void {
    const rest = (amount: bigint) => (part === null ? amount : amount - shareUp(amount, part.sold, part.held));
    const { collateral, origination, openFee, saleFee } = this.basis;
    this.basis = {
      collateral: rest(collateral),
      origination: rest(origination),
      openFee: rest(openFee),
      saleFee: rest(saleFee) + (part === null ? fee : 0n),
    };
  }

  addMargin(units: bigint): void {
    if (smaller(units, this.debt) === 0n) return;
    const { fees } = this;
    const fee = smaller(units, fees);
    const principal = smaller(units - fee, this.principal);
    this.principal -= principal;
    this.pending = fees - fee;
    this.#sinceMs = this.#nowMs;
    this.pool.lifetimeFee += fee;
    this.basis.collateral += principal + fee;
    this.user.repaid += principal + fee;
    this.#emit('MarginAdded', {
      principalUsdcUnits: usdcUnits(principal),
      lifetimeFeeUsdcUnits: usdcUnits(fee),
    });
  }

  /** The user repays everything and takes the tokens, and what is in the account. */
  exit(isBlocked: boolean): void {
    const owed = this.debt;
    const fromWallet = this.#divide({ cash: owed, part: null, liquidationFeeBps: 0n, isFinished: true });
    this.user.repaid += owed;
    const units = this.cash;
    const distribution = {
      ...fromWallet,
      proceedsUsdcUnits: usdcUnits(owed + units),
      userUsdcUnits: usdcUnits(units),
    };
    this.state = 'closed';
    this.tokens = 0n;
    this.#emit('PositionExited', { distribution });
    this.#credit(units);
    this.#pay(0n, units, isBlocked);
  }

  settle(payout: bigint, isBlocked: boolean): void {
    this.cash += payout;
    const distribution = this.#divide({ cash: this.cash, part: null, liquidationFeeBps: 0n, isFinished: true });
    this.state = 'settled';
    this.tokens = 0n;
    this.#emit('PositionSettled', { distribution });
    this.#payOut(distribution, isBlocked);
  }

  claim(isBlocked: boolean): void {
    if (this.cash === 0n) return;
    const recovered = smaller(this.cash, this.badDebt);
    const units = this.cash - recovered;
    this.badDebt -= recovered;
    this.#credit(units);
    const args = { userUsdcUnits: usdcUnits(units), recoveredUsdcUnits: usdcUnits(recovered) };
    // Of a claim the deferral is emitted first, and both are in one transaction.
    if (this.#send(recovered, units, isBlocked)) {
      this.#emit('PaymentDeferred', { usdcUnits: usdcUnits(units) });
      this.#emitWith('Claimed', args);
    } else this.#emit('Claimed', args);
  }

  /** Accrue, divide cash by the waterfall and lower the debt; `part` is the share of the debt that is due. */
  #divide(due: {
    readonly cash: bigint;
    readonly part: { readonly sold: bigint; readonly held: bigint } | null;
    readonly liquidationFeeBps: bigint;
    readonly isFinished: boolean;
  }): Distribution {
    const { fees, principal } = this;
    const share = (amount: bigint) => (due.part === null ? amount : shareUp(amount, due.part.sold, due.part.held));
    const paid = waterfallOf({
      proceedsUsdcUnits: usdcUnits(due.cash),
      principalDueUsdcUnits: usdcUnits(share(principal + this.badDebt)),
      lifetimeFeeDueUsdcUnits: usdcUnits(share(fees)),
      liquidationFeeBps: rateBps(due.liquidationFeeBps),
    });
    const repaid = smaller(raw(paid.principalPaidUsdcUnits), principal);
    const recovered = raw(paid.principalPaidUsdcUnits) - repaid;
    const loss = due.isFinished ? principal - repaid : 0n;
    this.principal = due.isFinished ? 0n : principal - repaid;
    // What a part cannot pay of its liquidation fee stays owed.
    const liquidationFee = (raw(paid.principalPaidUsdcUnits) * due.liquidationFeeBps + 9_999n) / 10_000n;
    const owed = liquidationFee - raw(paid.liquidationFeePaidUsdcUnits);
    this.pending = due.isFinished ? 0n : fees - raw(paid.lifetimeFeePaidUsdcUnits) + owed;
    this.badDebt += loss - recovered;
    this.#sinceMs = this.#nowMs;
    this.pool.lifetimeFee += raw(paid.lifetimeFeePaidUsdcUnits);
    this.pool.liquidationFee += raw(paid.liquidationFeePaidUsdcUnits);
    return {
      proceedsUsdcUnits: usdcUnits(due.cash),
      principalUsdcUnits: usdcUnits(repaid),
      lifetimeFeeUsdcUnits: paid.lifetimeFeePaidUsdcUnits,
      liquidationFeeUsdcUnits: paid.liquidationFeePaidUsdcUnits,
      recoveredUsdcUnits: usdcUnits(recovered),
      userUsdcUnits: paid.userPaidUsdcUnits,
      badDebtUsdcUnits: usdcUnits(loss),
    };
  }

  /**
   * Credit the user with everything not creditUnits before; waiting money that paid the debt counts as repaid by the
   * user.
   */
  #credit(units: bigint): bigint {
    const again = smaller(this.waiting, units);
    const creditUnits = this.waiting - again;
    this.user.proceeds += units - again;
    this.user.repaid += creditUnits;
    return creditUnits;
  }

  #payOut(paid: Distribution, isBlocked: boolean): void {
    const toUser = raw(paid.userUsdcUnits);
    const creditUnits = this.#credit(toUser);
    if (this.state === 'open') this.basis.collateral += creditUnits;
    this.#pay(this.cash - toUser, toUser, isBlocked);
  }

  /** Move the money, and emit the part the user could not receive in the transaction of the event before. */
  #pay(toPool: bigint, toUser: bigint, isBlocked: boolean): void {
    if (this.#send(toPool, toUser, isBlocked)) this.#emitWith('PaymentDeferred', { usdcUnits: usdcUnits(toUser) });
  }

  /** True when the user's part stays in the account. */
  #send(toPool: bigint, toUser: bigint, isBlocked: boolean): boolean {
    const isDeferred = isBlocked && toUser > 0n;
    this.cash -= toPool + (isDeferred ? 0n : toUser);
    this.waiting = isDeferred ? toUser : 0n;
    return isDeferred;
  }

  #authorize(purpose: LivePurpose): void {
    this.#emit('OrderAuthorized', { orderHash, purpose, validUntil: 99n, markPips: pricePips(5_000n) });
  }

  #emit<Name extends PositionEventName>(name: Name, args: PositionEventArguments[Name]): void {
    this.#block += 1;
    this.#emitWith(name, args);
  }

  /** In the transaction of the event before. */
  #emitWith<Name extends PositionEventName>(name: Name, args: PositionEventArguments[Name]): void {
    this.events.push({
      name,
      args,
      transactionHash: hashOf(1_000 + this.#block),
      blockNumber: BigInt(this.#block),
      logIndex: this.events.length,
      blockTimeMs: this.#nowMs,
    } as PositionEvent);
  }
}
