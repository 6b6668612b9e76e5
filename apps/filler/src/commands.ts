import { rmSync, writeFileSync } from 'node:fs';
import { Fault } from '@core/errors';
import { connectChain, type Environment, FriendlyError, openClock } from '@core/runtime';
import { isVenueFault } from '@core/venue';
import { presentAccounts } from './accounts/presentAccounts.ts';
import { profitAndLossOf } from './accounts/profitAndLoss.ts';
import { contractsOf } from './chain/fillerAccount.ts';
import { configOfEnv, journalFileOf } from './env.ts';
import { readJournal } from './journal/journal.ts';
import { stopFileOf } from './startFiller.ts';
import { setUpWallet } from './venue/openMaker.ts';

type Command = (environment: Environment) => Promise<readonly string[]>;

/** Commands on the journal alone, also while the filler runs. */
const onJournal =
  (work: (journalFile: string) => readonly string[]): Command =>
  async (environment) =>
    work(journalFileOf(environment));

/** Commands beside the filler itself. */
const commands: Readonly<Record<string, Command>> = {
  pnl: onJournal((file) => {
    const accounts = profitAndLossOf(readJournal(file));
    if (accounts === null) throw new FriendlyError(`There are no accounts in ${file}: start the filler first.`);
    return presentAccounts(accounts);
  }),
  stop: onJournal((file) => {
    writeFileSync(stopFileOf(file), '');
    return ['stopped: nothing new is filled, tokens in stock are still sold; `resume` ends it'];
  }),
  resume: onJournal((file) => {
    rmSync(stopFileOf(file), { force: true });
    return ['resumed'];
  }),
  wallet: async (environment) => {
    const { config } = configOfEnv(environment);
    if (config.wallet === undefined) return ['this venue takes orders of the account itself'];
    const { rpcUrl, fallbackRpcUrls = [], chainId } = config;
    const client = await connectChain({ rpcUrl, fallbackRpcUrls, chainId, timeoutMs: chainTimeoutMs });
    const clock = await openClock(config.clockUrl ?? null);
    try {
      const contracts = await contractsOf(client, config.contracts);
      return await setUpWallet({ ...config, contracts, client, nowMs: () => clock.nowMs() }, config.wallet);
    } finally {
      clock.close();
    }
  },
};

const chainTimeoutMs = 5_000;

/** Run a command and print its lines. Returns the exit code. */
export async function runCommand(name: string, environment: Environment): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  try {
    if (command === undefined) {
      throw new FriendlyError(`${name} is no command. Commands: ${Object.keys(commands).join(', ')}; none to start.`);
    }
    for (const line of await command(environment)) process.stdout.write(`${line}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof FriendlyError) && !(error instanceof Fault) && !isVenueFault(error)) throw error;
    process.stderr.write(`filler: ${error.message}\n`);
    return 1;
  }
}
