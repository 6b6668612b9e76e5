import { type Answer, fieldsText } from '../answer.ts';
import type { Context } from '../context.ts';
import { probe } from '../probe.ts';

/** Print addresses and readiness of the stack. */
export async function status({ stack }: Context): Promise<Answer> {
  const { apiUrl, wsUrl, rpcUrl, venueUrl, chainId, contracts, processes, programs } = stack();
  const ready = await probe(new URL('/readyz', apiUrl));
  const value = {
    is_ready: ready.status === 200,
    readiness: ready.body,
    api_url: apiUrl,
    ws_url: wsUrl,
    rpc_url: rpcUrl,
    venue_url: venueUrl,
    chain_id: chainId,
    contracts,
    processes,
  };
  const text = fieldsText({
    ready: value.is_ready ? 'yes' : `no: ${JSON.stringify(ready.body ?? ready.failure)}`,
    api: apiUrl,
    chain: `${rpcUrl} (${chainId})`,
    venue: venueUrl,
    vault: contracts.vault,
    processes: Object.entries(processes)
      .map(([name, pid]) => `${name} ${programs[name]?.state === 'restarting' ? 'restarting' : pid}`)
      .join(', '),
  });
  return { value, text, isFailedCheck: !value.is_ready };
}
