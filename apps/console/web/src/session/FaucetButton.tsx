import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Hex } from '../chain/wallet.ts';
import { showToast } from '../live/toasts.ts';
import { dollarsHeld } from '../money.ts';
import { errorText } from '../parts/errorText.ts';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from './SessionProvider.tsx';

/** Button that sends test USDC to the signed-in wallet; on a local chain only. */
export default function FaucetButton({ address }: { readonly address: Hex }) {
  const { config, user } = useSession();
  const queries = useQueryClient();
  const funding = useMutation({
    mutationFn: async () => {
      const [{ requestTestUsdc, faucetUnits }, contracts] = await Promise.all([
        import('../chain/faucet.ts'),
        user.contractInfo(),
      ]);
      await requestTestUsdc(config, { usdc: contracts.polygon_usdc_token_address, to: address });
      return faucetUnits;
    },
    onSuccess: (units) => {
      showToast({ kind: 'good', text: `${dollarsHeld(units)} of test USDC received.` });
      void queries.invalidateQueries({ queryKey: queryKeys.walletFigures });
    },
    onError: (error) => showToast({ kind: 'bad', text: errorText(error) }),
  });
  return (
    <button type="button" className="quiet small" disabled={funding.isPending} onClick={() => funding.mutate()}>
      {funding.isPending ? 'Sending …' : 'Get test USDC'}
    </button>
  );
}
