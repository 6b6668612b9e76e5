import { formatUsd, usdPips } from '@core/pricing';
import { curlOf, Lev, type LevUser, type SentRequest } from '@core/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../session/SessionProvider.tsx';
import { type ActionCode, ApiDrawer } from './ApiDrawer.tsx';

/** Placeholder for the caller's own token, which is never displayed. */
const shownToken = 'LEV_TOKEN';

/** Return the request that the SDK would send for an action. The SDK's own code runs up to the moment of sending. */
function requestOf(apiUrl: string, act: (user: LevUser) => Promise<unknown>): Promise<SentRequest> {
  return new Promise((onRequest) => {
    const never = (): Promise<never> => new Promise(() => undefined);
    const user = new Lev({ baseUrl: apiUrl, onRequest, surroundings: { fetch: never } }).asUser(shownToken);
    void act(user);
  });
}

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
    queryFn: async (): Promise<ActionCode> => {
      const notionalUsd = formatUsd(usdPips(notionalPips ?? 0n));
      const order = { ticker, side, leverage: String(leverage / 10_000), notionalUsd };
      const fields = Object.entries(order).map(([name, value]) => `  ${name}: '${value}',`);
      const code = ['const draft = await me.quotes.draft({', ...fields, '});'].join('\n');
      return { curl: curlOf(await requestOf(config.apiUrl, (user) => user.quotes.draft(order))), code };
    },
    enabled: isOpen && notionalPips !== null,
  });
  const actionCode = notionalPips === null ? null : (codeQuery.data ?? null);
  return <ApiDrawer action="Review" actionCode={actionCode} onToggle={setOpen} />;
}
