/** What to do about the reverts that a user's own transaction can meet. */
const sentences: Readonly<Record<string, string>> = {
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
  InsufficientBalance: 'The wallet holds too little of the native coin for gas.',
};

/** A sentence about a revert, by the name of its error. */
export function revertSentenceOf(name: string | null): string {
  if (name === null) return 'The contract refused with an unknown error.';
  return sentences[name] ?? `The contract refused with ${name}.`;
}
