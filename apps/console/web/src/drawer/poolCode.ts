import type { ContractCall, Hex } from '../chain/wallet.ts';
import type { ActionCode } from './ApiDrawer.tsx';
import { callCurlOf } from './callCurl.ts';

interface PoolAction {
  readonly rpcUrl: string;
  readonly from: Hex;
  readonly call: ContractCall;
  readonly functionName: string;
  readonly args: readonly (bigint | string)[];
}

/** Return a pool call as code, with the ABI that is published with the contracts. */
export function poolCodeOf({ rpcUrl, from, call, functionName, args }: PoolAction): ActionCode {
  const shownArgs = args.map((arg) => (typeof arg === 'bigint' ? `${arg}n` : `'${arg}'`)).join(', ');
  return {
    curl: callCurlOf({ rpcUrl, from, call }),
    code: [
      "import { liquidityPoolAbi } from '@core/vault';",
      '',
      'const hash = await walletClient.writeContract({',
      `  address: '${call.to}',`,
      '  abi: liquidityPoolAbi,',
      `  functionName: '${functionName}',`,
      `  args: [${shownArgs}],`,
      '});',
    ].join('\n'),
  };
}
