import { revertNames } from '../generated/vaultInterface.ts';

const outOfBounds = "The quote is outside of the vault's bounds. Ask for a new quote.";

/** Sentence about each revert of a user's own transactions, by the name of its error. */
const sentences: Readonly<Record<(typeof revertNames)[keyof typeof revertNames], string>> = {
  ERC20InsufficientAllowance: 'The vault may not take this much USDC. Approve it first.',
  ERC20InsufficientBalance: 'The wallet holds less USDC than this costs.',
  SignatureExpired: 'The quote has expired. Promote the draft again.',
  SignatureTooFarAhead: 'The quote lasts too long. Ask for a new quote.',
  InvalidQuoteSignature: 'The quote was not signed for this wallet, chain and vault.',
  SeedUsed: 'This draft has opened a position already. Make a new one.',
  OpeningIsPaused: 'The vault takes no new positions now. Try again later.',
  LiquidityExceeded: 'The pool cannot lend this much now. Lower the size or the leverage.',
  OutcomeCapExceeded: 'The pool lends no more on this outcome now. Lower the size or the leverage.',
  VenueFeeTooSmall: 'The venue takes a higher fee now. Ask for a new quote.',
  NotPositionOwner: 'Another wallet owns this position. Send it from that one.',
  WrongState: 'The position does not allow this now. Read it again.',
  CloseOutOfRange: 'The part is too small, or leaves too little. Close another part or everything.',
  OrderLive: 'An order is still live. Try again when it has ended.',
  NothingOwed: 'The position owes nothing.',
  NothingToClaim: 'There is nothing to claim.',
  LeverageOutOfRange: outOfBounds,
  CollateralOutOfRange: outOfBounds,
  NotionalMismatch: outOfBounds,
  FeeAboveMaximum: outOfBounds,
  VenueFeeAboveMaximum: outOfBounds,
  UserLimitOutOfRange: outOfBounds,
  UnknownOutcome: 'The vault does not know this market yet. Try again in a minute.',
  Blacklisted: 'The issuer of the USDC has blocked an address of this transfer.',
  InsufficientBalance: 'The wallet holds too little of the native coin for gas.',
};

const nameBySelector = new Map<string, keyof typeof sentences>(Object.entries(revertNames));

/** Return the error in revert data with its remedy; the name is null for an error that a user's call cannot raise. */
export function revertOf(data: string | null): { readonly name: string | null; readonly sentence: string } {
  const selector = data?.slice(0, selectorLength).toLowerCase() ?? '';
  const name = nameBySelector.get(selector);
  if (name !== undefined) return { name, sentence: sentences[name] };
  return { name: null, sentence: `The contract refused with an unknown error${selector && ` (${selector})`}.` };
}

const selectorLength = 2 + 2 * 4;
