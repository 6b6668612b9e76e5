import { leverageBps, usdPips } from '@core/pricing';
import {
  type ChainAction,
  type ContractInfo,
  type DraftQuote,
  isCode,
  LevError,
  type LevUser,
  type Market,
  type Position,
  PositionNotOpenedError,
  QuoteNotVerifiedError,
  TransactionRevertedError,
  verifyQuote,
} from '@core/sdk';
import { loadWallet } from '../chain/loadWallet.ts';
import type { Sender } from '../chain/wallet.ts';
import { serviceNowMs } from '../live/serviceClock.ts';
import {
  type DraftedOpening,
  isExpired,
  type OpeningState,
  type SentOpening,
  type SignedOpening,
} from './openingState.ts';

/** Dependencies of an opening. */
export interface OpeningDependencies {
  readonly user: LevUser;
  readonly sender: Omit<Sender, 'chainId'>;
  readonly market: Market;
  readonly contractInfo: ContractInfo;
}

/**
 * Resume an opening from any stage and yield its state after every step. The page may be closed at any moment: a quote
 * opens at most one position, so that every step may be repeated.
 * @throws errors of the SDK and the wallet; the last state is the one to resume from.
 */
export async function* followOpening(
  from: OpeningState,
  dependencies: OpeningDependencies,
): AsyncGenerator<OpeningState> {
  if (from.stage === 'filled') return;
  // Before anything is signed: another version of the pages may lack this file.
  const { sdkWalletOf } = await loadWallet();
  let state: DraftedOpening | SignedOpening | SentOpening = from;
  if (from.stage === 'approved' && (await isSent(from, dependencies))) state = { ...from, stage: 'sent', hash: null };
  else if (isExpired(from, serviceNowMs())) state = { stage: 'draft', draft: from.draft };
  if (state !== from) yield state;
  if (state.stage === 'draft') state = yield* promote(state.draft, dependencies);
  if (state.stage === 'promoted') {
    await verify(state, dependencies);
    state = { ...state, stage: 'verified' };
    yield state;
  }
  const action = dependencies.user.positions.open(state.quote, sdkWalletOf(dependencies.sender));
  yield* state.stage === 'sent' ? track(state, action) : send(state, action);
}

/** Return true when the wallet has sent the call although its response was lost, as by a reload. */
async function isSent({ quote }: SignedOpening, { user, sender }: OpeningDependencies): Promise<boolean> {
  try {
    await user.positions.debt(quote.on_chain_position_key, sender.rpcUrl);
    return true;
  } catch (cause) {
    if (cause instanceof LevError && cause.code === 'position_not_found') return false;
    throw cause;
  }
}

/** Promote the draft to a signed quote. An expired draft is replaced by a new one, which the user reviews first. */
async function* promote(draft: DraftQuote, { user }: OpeningDependencies): AsyncGenerator<OpeningState, SignedOpening> {
  try {
    const promotion: SignedOpening = { draft, stage: 'promoted', quote: await user.quotes.promote(draft) };
    yield promotion;
    return promotion;
  } catch (cause) {
    if (!isCode(cause, 'not_found')) throw cause;
    const { market_ticker: ticker, effective_side: side, leverage_bps: leverage } = draft;
    const notionalUsd = usdPips(BigInt(draft.notional_amount_usd_pips));
    const { basis } = draft;
    const slippage = basis === undefined ? {} : { slippageBps: basis.slippage_bps };
    const order = { ticker, side, leverage: leverageBps(BigInt(leverage)), notionalUsd, ...slippage };
    yield { stage: 'draft', draft: await user.quotes.draft(order) };
    throw new Error('The quote has expired. Check the new figures.', { cause });
  }
}

/** Check the quote against the wallet, the chain and the displayed market. */
async function verify({ quote }: SignedOpening, { sender, market, contractInfo }: OpeningDependencies): Promise<void> {
  const check = await verifyQuote(quote, { account: sender.address, contractInfo, market });
  if (!check.verified) throw new QuoteNotVerifiedError(check);
}

async function* send(state: SignedOpening, action: ChainAction<Position>): AsyncGenerator<OpeningState> {
  // A transaction before the call's own signature is an allowance.
  let isSigned = false;
  try {
    for await (const step of action) {
      if (step.step === 'sign') {
        isSigned = true;
        yield { ...state, stage: 'approved' };
      } else if (step.step === 'send' && isSigned) yield { ...state, stage: 'sent', hash: step.hash };
      else if (step.step === 'done') yield { stage: 'filled', positionId: step.result.id };
    }
  } catch (cause) {
    if (cause instanceof TransactionRevertedError && cause.revert === 'SeedUsed') {
      // An earlier attempt, whose response was lost, has already opened the position.
      const resumable: SentOpening = { ...state, stage: 'sent', hash: null };
      yield resumable;
      yield* track(resumable, action);
    } else yield* recover(state, cause);
  }
}

/** Wait for the outcome of a sent opening. */
async function* track(state: SentOpening, action: ChainAction<Position>): AsyncGenerator<OpeningState> {
  try {
    yield { stage: 'filled', positionId: (await action.resume(state.hash)).id };
  } catch (cause) {
    yield* recover(state, cause);
  }
}

/** Yield the state after a failure. An opening that the chain refused restarts from a draft; any other is resumed. */
async function* recover({ draft }: SignedOpening | SentOpening, cause: unknown): AsyncGenerator<OpeningState> {
  if (cause instanceof PositionNotOpenedError) {
    yield { stage: 'filled', positionId: cause.position.id };
    return;
  }
  if (cause instanceof TransactionRevertedError) yield { stage: 'draft', draft };
  throw cause;
}
