import { useQuery } from '@tanstack/react-query';
import { erc20Abi } from 'viem';
import { chainReaderOf } from '../chain/chain.ts';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from './SessionProvider.tsx';

/** Read the USDC of the signed-in wallet in units, again after each event of its positions; null before. */
export function useUsdcBalance(): bigint | null {
  const { user, address, config } = useSession();
  const balance = useQuery({
    queryKey: queryKeys.usdcBalance,
    queryFn: async () => {
      if (address === null) return null;
      const { polygon_usdc_token_address: usdc } = await user.contractInfo();
      const call = { address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [address] } as const;
      return chainReaderOf(config.rpcUrl).readContract(call);
    },
    enabled: address !== null,
  });
  return balance.data ?? null;
}
