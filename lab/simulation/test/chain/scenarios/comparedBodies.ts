import { numberToHex } from 'viem';

/** Code that reverts with the number 42, and its creation. */
export const revertingCode = '0x600a600c600039600a6000f3602a60005260206000fd';

/** Bodies of requests that the local chain's own server answers in the same way. */
export const comparedBodies = (reverting: string, from: string): string[] => {
  const call = (method: string, params: readonly unknown[], id: unknown = 1) => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  });
  const gas = numberToHex(100_000);
  return [
    call('eth_call', [{ to: reverting }, 'latest']),
    call('eth_estimateGas', [{ to: reverting, from }]),
    call('eth_sendTransaction', [{ from, to: reverting, gas }]),
    call('eth_sendRawTransaction', ['0x1234']),
    call('eth_fooBar', []),
    call('eth_getBalance', ['no address']),
    call('eth_getBalance', [from, '0xffff']),
    call('eth_chainId', [], null),
    [call('eth_chainId', [], 'a'), 7, call('eth_call', [{ to: reverting }, 'latest'], 2)],
    [],
  ].map((body) => JSON.stringify(body));
};
