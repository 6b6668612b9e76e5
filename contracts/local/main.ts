import { deployLocal } from './deployLocal.ts';
import { startLocalChain } from './startLocalChain.ts';

/**
 * Runs the local chain with everything deployed until SIGTERM or SIGINT. When it is ready it prints one line of JSON:
 * rpcUrl, wsUrl and the deployment, whole numbers beyond 53 bits as decimal text.
 *
 * Environment: PORT (default 8545), CHAIN_ID (default 31337), INITIAL_DATE (ISO time of the first block).
 */
const port = Number(process.env['PORT'] ?? '8545');
const chainId = Number(process.env['CHAIN_ID'] ?? '31337');
const initialDate = process.env['INITIAL_DATE'];

const chain = await startLocalChain({
  port,
  chainId,
  ...(initialDate === undefined ? {} : { initialDate: new Date(initialDate) }),
});
let isClosing = false;
const stop = () => {
  if (isClosing) return;
  isClosing = true;
  void chain.close().finally(() => process.exit(0));
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);

const deployment = await deployLocal({ rpcUrl: chain.rpcUrl });
const ready = { rpcUrl: chain.rpcUrl, wsUrl: chain.wsUrl, deployment };
process.stdout.write(
  `${JSON.stringify(ready, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))}\n`,
);
