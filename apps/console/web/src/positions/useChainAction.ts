import type { ChainAction, Wallet as ClientWallet, LevUser, Position, Step } from '@core/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { loadWallet, useLoadedWallet } from '../chain/loadWallet.ts';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';

/** Function that starts an SDK action with the wallet that signs it. */
export type Begin = (positions: LevUser['positions'], wallet: ClientWallet) => ChainAction<Position>;

const stepTexts: Readonly<Record<Step<Position>['step'], string>> = {
  approve: 'Approve USDC in your wallet.',
  sign: 'Confirm in your wallet.',
  send: 'Sent. Waiting for confirmation.',
  wait: 'Confirmed.',
  done: 'Done.',
};

/** Action on chain with its progress. */
export interface ChainActionControl {
  /** True until the last transaction is in a block. */
  readonly isBusy: boolean;
  readonly text: string;
  readonly error: unknown;
  readonly begin: (begin: Begin) => void;
}

interface ActionState {
  readonly isBusy: boolean;
  readonly text: string;
  readonly error: unknown;
}

/**
 * Run actions until their transactions are in a block. Their effects arrive over the socket, like every other change.
 * `onSent` is called once the transaction is in a block.
 */
export function useChainAction({ onSent }: { readonly onSent?: () => void } = {}): ChainActionControl {
  const { user, wallet, address, config } = useSession();
  const queries = useQueryClient();
  useLoadedWallet();
  const [state, setState] = useState<ActionState>({ isBusy: false, text: '', error: null });
  const carryOut = async (begin: Begin): Promise<void> => {
    if (wallet === null || address === null) {
      throw new Error('No wallet in this browser has the signed-in account.');
    }
    const { sdkWalletOf } = await loadWallet();
    const action = begin(user.positions, sdkWalletOf({ wallet, address, rpcUrl: config.rpcUrl }));
    for await (const { step } of action) {
      setState({ isBusy: step !== 'wait', text: stepTexts[step], error: null });
      if (step !== 'wait') continue;
      onSent?.();
      break;
    }
    await queries.invalidateQueries({ queryKey: queryKeys.positions });
  };
  return {
    ...state,
    begin: (begin) => {
      setState({ isBusy: true, text: 'Checking the transaction …', error: null });
      void carryOut(begin).catch((error: unknown) => setState({ isBusy: false, text: '', error }));
    },
  };
}
