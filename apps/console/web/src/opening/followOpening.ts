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
import type { Sender } from '../chain/chain.ts';
import {
  type DraftedOpening,
  isExpired,
  type OpeningState,
  type SentOpening,
  type SignedOpening,
} from './openingState.ts';

/** What an opening needs of the world. */
export interface OpeningWorld {
  readonly user: LevUser;
  readonly sender: Sender;
  readonly market: Market;
  readonly contractInfo: ContractInfo;
}

/**
 * Goes on with an opening from wherever it is, and says after every step how far it has come. Nothing is lost when the
 * page goes away in the middle: a quote opens one position at most, so that a step may be done again.
 * @throws what the client of the service and the wallet throw; the last state is where to go on.
 */
export async function* followOpening(from: OpeningState, world: OpeningWorld): AsyncGenerator<OpeningState> {
  if (from.stage === 'filled') return;
  let state: DraftedOpening | SignedOpening | SentOpening = from;
  if (from.stage === 'approved' && (await wasSent(from, world))) state = { ...from, stage: 'sent', hash: null };
  else if (isExpired(from, Date.now())) state = { stage: 'draft', draft: from.draft };
  if (state !== from) yield state;
  if (state.stage === 'draft') state = yield* promoted(state.draft, world);
  if (state.stage === 'promoted') {
    await verify(state, world);
    state = { ...state, stage: 'verified' };
    yield state;
  }
  const { sdkWalletOf } = await import('../chain/sdkWallet.ts');
  const action = world.user.positions.open(state.quote, sdkWalletOf(world.sender));
  yield* state.stage === 'sent' ? settled(state, action) : sending(state, action);
}

/** True when the wallet has sent the call although its answer was lost, as by a reload. */
async function wasSent({ quote }: SignedOpening, { user, sender }: OpeningWorld): Promise<boolean> {
  try {
    await user.positions.debt(quote.on_chain_position_key, sender.rpcUrl);
    return true;
  } catch (cause) {
    if (cause instanceof LevError && cause.code === 'position_not_found') return false;
    throw cause;
  }
}

/** Signs the figures; those that the service has forgotten are asked for anew, to be looked at first. */
async function* promoted(draft: DraftQuote, { user }: OpeningWorld): AsyncGenerator<OpeningState, SignedOpening> {
  try {
    const signed: SignedOpening = { draft, stage: 'promoted', quote: await user.quotes.promote(draft) };
    yield signed;
    return signed;
  } catch (cause) {
    if (!isCode(cause, 'not_found')) throw cause;
    const { market_ticker: ticker, effective_side: side, leverage_bps: leverage } = draft;
    const notionalUsd = usdPips(BigInt(draft.notional_amount_usd_pips));
    const order = { ticker, side, leverage: leverageBps(BigInt(leverage)), notionalUsd };
    yield { stage: 'draft', draft: await user.quotes.draft(order) };
    throw new Error('The figures had expired: look at the new ones.', { cause });
  }
}

/** Holds the quote against the wallet, the chain and the market that is shown. */
async function verify({ quote }: SignedOpening, { sender, market, contractInfo }: OpeningWorld): Promise<void> {
  const check = await verifyQuote(quote, { account: sender.address, contractInfo, market });
  if (!check.verified) throw new QuoteNotVerifiedError(check.field);
}

async function* sending(state: SignedOpening, action: ChainAction<Position>): AsyncGenerator<OpeningState> {
  // What is sent before the call itself is signed is an allowance.
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
      // An earlier try, whose answer was lost, has opened the position already.
      const sent: SentOpening = { ...state, stage: 'sent', hash: null };
      yield sent;
      yield* settled(sent, action);
    } else yield* afterRefusal(state, cause);
  }
}

/** Waits for what was sent. */
async function* settled(state: SentOpening, action: ChainAction<Position>): AsyncGenerator<OpeningState> {
  try {
    yield { stage: 'filled', positionId: (await action.resume(state.hash)).id };
  } catch (cause) {
    yield* afterRefusal(state, cause);
  }
}

/** What the chain has refused is begun anew from the figures; every other failure can be gone on from. */
async function* afterRefusal({ draft }: SignedOpening | SentOpening, cause: unknown): AsyncGenerator<OpeningState> {
  if (cause instanceof PositionNotOpenedError) {
    yield { stage: 'filled', positionId: cause.position.id };
    return;
  }
  if (cause instanceof TransactionRevertedError) yield { stage: 'draft', draft };
  throw cause;
}
