import { leverageBps, usdPips } from '@core/pricing';
import type { DraftQuote, Market } from '@core/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';

/** Delay after the last change of a size before a draft is requested. */
const debounceMs = 400;
/** Maximum age of a draft. A wallet may request one a second. */
const goodMs = 15_000;

/** Leverage that the service grants for a size on a side. */
export interface GrantedLeverage {
  /** Draft at the highest leverage offered; undefined before a response. */
  readonly draft: DraftQuote | undefined;
  /** Highest leverage for this size and price; null before a response. */
  readonly maxBps: number | null;
  /** True when the draft is of a smaller size: this one is granted at no leverage. */
  readonly isReduced: boolean;
  readonly error: unknown;
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/**
 * Request the leverage that the service grants for a size on a side. The draft asks for the highest leverage offered,
 * and the service lowers it to the maximum at the price.
 * @param notionalPips null or 0 where the ticket has no size.
 */
export function useGrantedLeverage(
  market: Market,
  { side, notionalPips }: { readonly side: 'yes' | 'no'; readonly notionalPips: bigint | null },
): GrantedLeverage {
  const { user } = useSession();
  const { ticker, leverage } = market;
  const offered = Math.max(leverage.min_bps, leverage[`max_${side}_bps`]);
  const size = useSettled(String(notionalPips ?? 0n));
  const draftQuery = useQuery({
    queryKey: queryKeys.terms(ticker, side, `${size} ${offered}`),
    queryFn: async ({ signal }) => {
      const draft = await user.quotes.draft(
        {
          ticker,
          side,
          leverage: leverageBps(BigInt(offered)),
          notionalUsd: usdPips(BigInt(size)),
          allowRevision: true,
        },
        { signal },
      );
      return { draft, isReduced: draft.notional_amount_usd_pips !== size };
    },
    enabled: size !== '0' && market.sided_eligibility[side].accepting_new_positions,
    staleTime: goodMs,
    // The price moves without a change of the order.
    refetchInterval: goodMs,
    placeholderData: keepPreviousData,
  });
  // A draft of another side does not apply.
  const granted = draftQuery.data?.draft.effective_side === side ? draftQuery.data : undefined;
  return {
    draft: granted?.draft,
    maxBps: granted?.draft.leverage_bps ?? null,
    isReduced: granted?.isReduced ?? false,
    error: draftQuery.error,
  };
}
