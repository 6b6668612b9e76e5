import type { DraftQuote, LimitUsage } from '@core/sdk';
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';

/** What an opening changes, as it is now. */
export interface WalletFigures {
  /** USDC units of the wallet, read from the chain. */
  readonly usdcUnits: bigint;
  readonly limits: LimitUsage;
}

/** What the signed-in wallet has, for the account that a draft is for; null while it is not known. */
export function useWalletFigures(draft: DraftQuote | undefined): WalletFigures | null {
  const { user, address, config } = useSession();
  const found = useQuery({
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
  return found.data ?? null;
}
