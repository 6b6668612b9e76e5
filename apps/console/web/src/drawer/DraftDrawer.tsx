import { formatUsd, usdPips } from '@core/pricing';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../session/SessionProvider.tsx';
import { ApiDrawer } from './ApiDrawer.tsx';
import { requestCodeOf } from './requestCode.ts';

interface DraftDrawerProps {
  readonly ticker: string;
  readonly side: 'yes' | 'no';
  readonly leverageBps: number;
  /** Null while the form has no size. */
  readonly notionalPips: bigint | null;
}

/** Drawer of the draft request of an order. */
export function DraftDrawer({ ticker, side, leverageBps: leverage, notionalPips }: DraftDrawerProps) {
  const { config } = useSession();
  const [isOpen, setOpen] = useState(false);
  const codeQuery = useQuery({
    queryKey: ['code', 'draft', ticker, side, leverage, String(notionalPips)],
    queryFn: () => {
      const notionalUsd = formatUsd(usdPips(notionalPips ?? 0n));
      const order = { ticker, side, leverage: String(leverage / 10_000), notionalUsd };
      const fields = Object.entries(order).map(([name, value]) => `  ${name}: '${value}',`);
      const code = ['const draft = await me.quotes.draft({', ...fields, '});'].join('\n');
      return requestCodeOf(config.apiUrl, { act: (user) => user.quotes.draft(order), code });
    },
    enabled: isOpen && notionalPips !== null,
  });
  const actionCode = notionalPips === null ? null : (codeQuery.data ?? null);
  return <ApiDrawer action="Review" actionCode={actionCode} onToggle={setOpen} />;
}
