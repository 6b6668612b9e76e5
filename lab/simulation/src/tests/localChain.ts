import type { LocalChain } from '@core/contracts/local';
import { Chain } from '../outside/chain/chain.ts';
import { Program } from '../runtime/program.ts';
import { edgeOfTests } from './edgeOfTests.ts';

/** Stand for `startLocalChain`: the same EVM, behind the network in memory. */
export async function startLocalChain(
  parameters: { readonly chainId?: number; readonly initialDate?: Date; readonly blockIntervalMs?: number } = {},
): Promise<LocalChain> {
  const edge = edgeOfTests();
  const { chainId = 31_337, initialDate = new Date(), blockIntervalMs = 1_000 } = parameters;
  // The index of the package exports this module in place of another, so it cannot be imported here first.
  const { openProvider } = await import('@core/contracts/local');
  const mining = { isInstant: true, intervalMs: 0 } as const;
  const provider = await edge.threads.counted(() => openProvider({ chainId, initialDate, mining }));
  const clientLeadSeconds = Math.max(0, Math.floor((initialDate.getTime() - Date.now()) / 1_000));
  const settings = { provider, pace: 'instant', clientLeadSeconds } as const;
  const chain = await new Program('chain').run(() => Chain.open(edge, settings));
  if (blockIntervalMs > 0) await chain.begin();
  return { rpcUrl: chain.rpcUrl, wsUrl: chain.rpcUrl.replace('http', 'ws'), chainId, close: () => chain.close() };
}
