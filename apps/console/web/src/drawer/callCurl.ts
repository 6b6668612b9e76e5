import { curlOf } from '@core/sdk';
import type { ContractCall, Hex } from '../chain/wallet.ts';

interface TriedCall {
  readonly rpcUrl: string;
  readonly from: Hex;
  readonly call: ContractCall;
}

/** Return a contract call for a shell without a key: the node simulates the call and changes nothing. */
export function callCurlOf({ rpcUrl, from, call: { to, data } }: TriedCall): string {
  const body = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ from, to, data }, 'latest'] };
  const headers = { 'content-type': 'application/json' };
  return curlOf({ method: 'POST', url: rpcUrl, headers, body: JSON.stringify(body) });
}
