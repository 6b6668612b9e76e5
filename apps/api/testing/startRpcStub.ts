import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { liquidityPoolAbi } from '@core/vault';
import { decodeFunctionData, encodeFunctionResult, type Hex } from 'viem';
import { z } from 'zod';

/** A JSON-RPC endpoint that knows one pool and nothing else. */
export interface RpcStub {
  readonly url: string;
  close(): Promise<void>;
}

const call = z.object({
  id: z.union([z.number(), z.string()]),
  method: z.string(),
  params: z.array(z.unknown()).optional(),
});
const ethCall = z.tuple([z.object({ data: z.string() })], z.unknown());

/** Answers the reads of the pool as a chain with 500,000 USDC of free liquidity would. */
export async function startRpcStub(): Promise<RpcStub> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      const answers = (Array.isArray(body) ? body : [body]).map((item) => answerOf(call.parse(item)));
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answerOf({ id, method, params }: z.output<typeof call>): object {
  const result = method === 'eth_chainId' ? '0x7a69' : readOf(ethCall.parse(params)[0].data as Hex);
  return { jsonrpc: '2.0', id, result };
}

function readOf(data: Hex): Hex {
  const { functionName } = decodeFunctionData({ abi: liquidityPoolAbi, data });
  const liquidity = 500_000_000_000n;
  switch (functionName) {
    case 'bookOf':
      return encodeFunctionResult({
        abi: liquidityPoolAbi,
        functionName,
        result: {
          idleUsdcUnits: liquidity,
          lentUsdcUnits: 0n,
          reserveUsdcUnits: 25_000_000_000n,
          treasuryOwedUsdcUnits: 0n,
        },
      });
    case 'freeLiquidity':
      return encodeFunctionResult({ abi: liquidityPoolAbi, functionName, result: 400_000_000_000n });
    case 'outcomeLoanOf':
      return encodeFunctionResult({ abi: liquidityPoolAbi, functionName, result: [0n, liquidity] });
    default:
      throw new Error(`the stub does not know ${functionName}`);
  }
}
