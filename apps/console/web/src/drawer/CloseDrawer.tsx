import type { Position } from '@core/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { anyPriceUsd } from '../chain/vaultCalls.ts';
import type { Hex } from '../chain/wallet.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { ApiDrawer } from './ApiDrawer.tsx';
import { callCurlOf } from './callCurl.ts';

/** What selling all of a position sends: one call of the vault, as the client plans it. */
export function CloseDrawer({ position }: { readonly position: Position }) {
  const { config, user } = useSession();
  const { id, wallet_address: from } = position;
  const [isOpen, setOpen] = useState(false);
  const shown = useQuery({
    queryKey: ['code', 'close', id],
    queryFn: async () => {
      const [call] = await user.positions.close(position, { minPriceUsd: anyPriceUsd }).transactions();
      if (call === undefined) throw new Error('a sale is one call');
      const { to, data } = call as { readonly to: Hex; readonly data: Hex };
      return {
        curl: callCurlOf({ rpcUrl: config.rpcUrl, from: from as Hex, call: { to, data } }),
        code: [
          `const position = await me.positions.get('${id}');`,
          `await me.positions.close(position, { wallet, minPriceUsd: '${anyPriceUsd}' });`,
        ].join('\n'),
      };
    },
    enabled: isOpen,
  });
  return <ApiDrawer action="Sell all" shown={shown.data ?? null} onToggle={setOpen} />;
}
