import { leverageBps, usdPips } from '@core/pricing';
import type { Market } from '@core/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLoadedWallet } from '../chain/loadWallet.ts';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { followOpening } from './followOpening.ts';
import type { OpeningState } from './openingState.ts';
import { storedOpeningOf } from './storedOpening.ts';

interface OpeningOrder {
  readonly ticker: string;
  readonly side: 'yes' | 'no';
  readonly leverageBps: number;
  readonly notionalPips: bigint;
  readonly slippageBps: number;
}

/** Opening in a market with its actions. */
export interface OpeningControl {
  readonly state: OpeningState | null;
  readonly isBusy: boolean;
  readonly error: unknown;
  /** Reason why it cannot continue; null when it can. */
  readonly obstacle: string | null;
  readonly draft: (order: OpeningOrder) => void;
  /** Continue until the position is open or a step fails. */
  readonly proceed: () => void;
  readonly discard: () => void;
}

/** Return the opening of this wallet in a market, restored after a reload. A sent one is tracked without a click. */
export function useOpening(market: Market): OpeningControl {
  const { user, address, wallet, config } = useSession();
  const queries = useQueryClient();
  useLoadedWallet();
  const store = storedOpeningOf(address, market.ticker);
  const [state, setState] = useState(store.read);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const lastMarket = useRef(market);
  lastMarket.current = market;

  useEffect(() => setState(storedOpeningOf(address, market.ticker).read()), [address, market.ticker]);

  const setStage = (next: OpeningState | null): void => {
    store.write(next);
    setState(next);
  };
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(null);
    await work().catch(setError);
    setBusy(false);
  };
  const resume = async (): Promise<void> => {
    if (address === null || wallet === null) return;
    const contractInfo = await queries.ensureQueryData({
      queryKey: queryKeys.contractInfo,
      queryFn: () => user.contractInfo(),
    });
    if (state === null) return;
    const sender = { wallet, address, rpcUrl: config.rpcUrl };
    const dependencies = { user, sender, market: lastMarket.current, contractInfo };
    for await (const next of followOpening(state, dependencies)) setStage(next);
    await queries.invalidateQueries({ queryKey: queryKeys.positions });
  };
  const proceed = (): void => void run(resume);
  const isWaiting = state?.stage === 'sent' && wallet !== null && !isBusy && error === null;
  useEffect(() => {
    if (isWaiting) proceed();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs once per sent transaction.
  }, [isWaiting]);

  return {
    state,
    isBusy,
    error,
    obstacle: wallet === null ? 'The signed-in account is in no wallet of this browser.' : null,
    draft: ({ ticker, side, notionalPips, slippageBps, ...order }) =>
      void run(async () => {
        const leverage = leverageBps(BigInt(order.leverageBps));
        const draft = await user.quotes.draft({
          ticker,
          side,
          leverage,
          notionalUsd: usdPips(notionalPips),
          slippageBps,
        });
        setStage({ stage: 'draft', draft });
      }),
    proceed,
    discard: () => {
      setError(null);
      setStage(null);
    },
  };
}
