import type { DraftQuote, Quote } from '@core/sdk';
import type { Hex } from '../chain/wallet.ts';

/** Figures that can be signed. */
export interface DraftedOpening {
  readonly stage: 'draft';
  readonly draft: DraftQuote;
}

/** A signed quote that was not sent yet. */
export interface SignedOpening {
  readonly stage: 'promoted' | 'verified' | 'approved';
  readonly draft: DraftQuote;
  readonly quote: Quote;
}

/** The hash is null when the answer of an earlier try was lost. */
export interface SentOpening {
  readonly stage: 'sent';
  readonly draft: DraftQuote;
  readonly quote: Quote;
  readonly hash: string | null;
}

/** The position is open, or was given back before it opened. */
export interface FilledOpening {
  readonly stage: 'filled';
  readonly positionId: string;
}

/** How far an opening has come. Each stage holds all that a page needs to go on after a reload. */
export type OpeningState = DraftedOpening | SignedOpening | SentOpening | FilledOpening;

export type OpeningStage = OpeningState['stage'];

/** Stages in their order, each with what has been done when it is reached. */
export const openingStages = [
  'draft',
  'promoted',
  'verified',
  'approved',
  'sent',
  'filled',
] as const satisfies readonly OpeningStage[];

export const stageTexts: Readonly<Record<OpeningStage, string>> = {
  draft: 'Figures',
  promoted: 'Signed quote',
  verified: 'Quote verified',
  approved: 'USDC allowed',
  sent: 'Sent to the vault',
  filled: 'Filled',
};

/** When the signature ends, in epoch milliseconds; null where nothing is signed, or it was sent already. */
export function expiryMsOf(state: OpeningState): number | null {
  if (state.stage === 'draft' || state.stage === 'sent' || state.stage === 'filled') return null;
  return Math.min(Number(state.quote.signature_expiry) * 1_000, Date.parse(state.quote.expires_at));
}

/** True when the signature can no longer open anything; a transaction that was sent is past that. */
export function isExpired(state: OpeningState, nowMs: number): boolean {
  const expiryMs = expiryMsOf(state);
  return expiryMs !== null && expiryMs <= nowMs;
}

/** An opening of a wallet in a market, kept for this tab: another tab must not send it, too. No key is in it. */
export function openingStore(storage: Storage, address: Hex | null, ticker: string) {
  const name = `opening:${address ?? 'visitor'}:${ticker}`;
  return {
    read: (): OpeningState | null => {
      const text = storage.getItem(name);
      return text === null ? null : (JSON.parse(text) as OpeningState);
    },
    write: (state: OpeningState | null): void => {
      if (state === null) storage.removeItem(name);
      else storage.setItem(name, JSON.stringify(state));
    },
  };
}
