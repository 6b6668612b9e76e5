import type { Position } from '@core/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { anyPriceUsd } from '../chain/vaultCalls.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { ApiDrawer } from './ApiDrawer.tsx';
import { callCurlOf } from './callCurl.ts';

/** Drawer of a sale of the whole position: one call of the vault, as planned by the SDK. */
export function CloseDrawer({ position }: { readonly position: Position }) {
  const { config, user } = useSession();
  const { id, wallet_address: from } = position;
  const [isOpen, setOpen] = useState(false);
  const codeQuery = useQuery({
    queryKey: ['code', 'close', id],
    queryFn: async () => {
      const [call] = await user.positions.close(position, { minPriceUsd: anyPriceUsd }).transactions();
      if (call === undefined) throw new Error('the plan of a sale has no call');
      const { to, data } = call;
      return {
        curl: callCurlOf({ rpcUrl: config.rpcUrl, from: from, call: { to, data } }),
        code: [
          `const position = await me.positions.get('${id}');`,
          `await me.positions.close(position, { wallet, minPriceUsd: '${anyPriceUsd}' });`,
        ].join('\n'),
      };
    },
    enabled: isOpen,
  });
  return <ApiDrawer action="Sell all" actionCode={codeQuery.data ?? null} onToggle={setOpen} />;
}
