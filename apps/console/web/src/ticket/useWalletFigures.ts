import type { DraftQuote, LimitUsage } from '@core/sdk';
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';

/** Current balance and limit of a wallet, which an opening changes. */
export interface WalletFigures {
  /** USDC balance on chain, in units. */
  readonly usdcUnits: bigint;
  readonly limits: LimitUsage;
}

/** Read the figures of the signed-in wallet for the account of a draft; null before they are loaded. */
export function useWalletFigures(draft: DraftQuote | undefined): WalletFigures | null {
  const { user, address, config } = useSession();
  const figuresQuery = useQuery({
    queryKey: queryKeys.walletFigures,
    queryFn: async () => {
      if (address === null || draft === undefined) return null;
      const [requirements, limits] = await Promise.all([
        user.preflight(draft, { account: address, chain: config.rpcUrl }),
        user.limits(),
      ]);
      const balance = requirements.find(({ name }) => name === 'balance');
      return balance === undefined ? null : { usdcUnits: BigInt(balance.have), limits };
    },
    enabled: address !== null && draft !== undefined,
  });
  return figuresQuery.data ?? null;
}
