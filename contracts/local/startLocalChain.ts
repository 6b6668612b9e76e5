import { localChainId, openNetwork } from './openNetwork.ts';

/** A running local chain. */
export interface LocalChain {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly chainId: number;
  /** Stops the server. Sockets that clients left open do not hold it up. */
  close(): Promise<void>;
}

const closeGraceMs = 500;

/**
 * Starts an EVM with a JSON-RPC server on 127.0.0.1 inside this process. A transaction is mined at once; besides, a
 * block is mined every second, because a call at `latest` sees the last block's time and an idle chain would make
 * fresh attestations look future-dated.
 *
 * @param parameters.port 0 (the default) takes a free one.
 * @param parameters.initialDate Time of the first block; the real time by default.
 * @param parameters.blockIntervalMs 0 turns the regular blocks off, for tests that count blocks.
 */
export async function startLocalChain(
  parameters: {
    readonly port?: number;
    readonly chainId?: number;
    readonly initialDate?: Date;
    readonly blockIntervalMs?: number;
  } = {},
): Promise<LocalChain> {
  const { port = 0, chainId = localChainId, initialDate, blockIntervalMs = 1000 } = parameters;
  const mining = { isInstant: true, intervalMs: blockIntervalMs };
  const network = await openNetwork({ chainId, initialDate, mining });
  const server = await network.createServer('local', '127.0.0.1', port);
  const listening = await server.listen();
  const rpcUrl = `http://127.0.0.1:${listening.port}`;
  return {
    rpcUrl,
    wsUrl: `ws://127.0.0.1:${listening.port}`,
    chainId,
    close: async () => {
      await stopRegularBlocks(rpcUrl);
      await Promise.race([server.close(), new Promise<void>((done) => setTimeout(done, closeGraceMs).unref())]);
    },
  };
}

/** The EVM mines on after its server has closed, unless it is stopped. */
async function stopRegularBlocks(rpcUrl: string): Promise<void> {
  await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_setIntervalMining', params: [0] }),
  });
}
