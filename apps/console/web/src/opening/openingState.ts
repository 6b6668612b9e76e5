import type { DraftQuote, Quote } from '@core/sdk';

/** Draft of an opening, not signed yet. */
export interface DraftedOpening {
  readonly stage: 'draft';
  readonly draft: DraftQuote;
}

/** Signed quote, not sent yet. */
export interface SignedOpening {
  readonly stage: 'promoted' | 'verified' | 'approved';
  readonly draft: DraftQuote;
  readonly quote: Quote;
}

/** Sent opening; the hash is null when the response of an earlier attempt was lost. */
export interface SentOpening {
  readonly stage: 'sent';
  readonly draft: DraftQuote;
  readonly quote: Quote;
  readonly hash: string | null;
}

/** Completed opening: the position is open, or was refunded before it opened. */
export interface FilledOpening {
  readonly stage: 'filled';
  readonly positionId: string;
}

/** State of an opening. Each stage contains all that a page needs to resume after a reload. */
export type OpeningState = DraftedOpening | SignedOpening | SentOpening | FilledOpening;

export type OpeningStage = OpeningState['stage'];

/** Stages in order, each with the name of its completed step. */
export const openingStages = [
  'draft',
  'promoted',
  'verified',
  'approved',
  'sent',
  'filled',
] as const satisfies readonly OpeningStage[];

export const stageTexts: Readonly<Record<OpeningStage, string>> = {
  draft: 'Quote',
  promoted: 'Signature',
  verified: 'Verified',
  approved: 'USDC approved',
  sent: 'Sent',
  filled: 'Filled',
};

/** Return the expiry of the signature in epoch milliseconds; null for an unsigned or a sent opening. */
export function expiryMsOf(state: OpeningState): number | null {
  if (state.stage === 'draft' || state.stage === 'sent' || state.stage === 'filled') return null;
  return Math.min(Number(state.quote.signature_expiry) * 1_000, Date.parse(state.quote.expires_at));
}

/** Return true when the signature has expired; a sent transaction is past that. */
export function isExpired(state: OpeningState, nowMs: number): boolean {
  const expiryMs = expiryMsOf(state);
  return expiryMs !== null && expiryMs <= nowMs;
}
