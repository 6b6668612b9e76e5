import type { ChainAction, Wallet as ClientWallet, LevUser, Position, Step } from '@core/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';

/** An action of the client with the wallet that signs it. */
export type Begin = (positions: LevUser['positions'], wallet: ClientWallet) => ChainAction<Position>;

const stepTexts: Readonly<Record<Step<Position>['step'], string>> = {
  approve: 'Your wallet asks you to let the vault take USDC.',
  sign: 'Your wallet asks you to sign.',
  send: 'Sent: waiting for a block.',
  wait: 'The chain has it.',
  done: 'Done.',
};

/** Something done on chain, as a part of the page follows it. */
export interface ChainActionControl {
  /** True until the chain has the last call. */
  readonly isBusy: boolean;
  readonly text: string;
  readonly error: unknown;
  readonly begin: (begin: Begin) => void;
}

/** Carries actions out up to the block; what they lead to comes with the socket, as for everything on the page. */
export function useChainAction(): ChainActionControl {
  const { user, wallet, address, config } = useSession();
  const queries = useQueryClient();
  const [state, setState] = useState({ isBusy: false, text: '', error: null as unknown });
  const carryOut = async (begin: Begin): Promise<void> => {
    if (wallet === null || address === null) {
      throw new Error('No wallet of this browser has the account that is signed in.');
    }
    const { sdkWalletOf } = await import('../chain/sdkWallet.ts');
    const action = begin(user.positions, sdkWalletOf({ wallet, address, rpcUrl: config.rpcUrl }));
    for await (const { step } of action) {
      setState({ isBusy: step !== 'wait', text: stepTexts[step], error: null });
      if (step === 'wait') break;
    }
    await queries.invalidateQueries({ queryKey: queryKeys.positions });
  };
  return {
    ...state,
    begin: (begin) => {
      setState({ isBusy: true, text: 'Trying the call first …', error: null });
      void carryOut(begin).catch((error: unknown) => setState({ isBusy: false, text: '', error }));
    },
  };
}
