import { FriendlyError } from '@core/runtime';
import type { MarketStore, OracleStore, StoppedOracle } from '@core/store';
import { type OperatedVault, operateVault } from './operateVault.ts';

export { partnersWithKeys } from './partners.ts';

import { readTokenKeyFile, retiredTokenKeys, rotatedTokenKeys, writeTokenKeyFile } from './tokenKeyFile.ts';

/** What an operator may do, and how it is written. */
export const usage = [
  'operate markets disable <ticker> [--reason <text>]   no new positions in this market',
  'operate markets enable <ticker>                      new positions again',
  'operate oracles list                                 oracles on whose markets nothing is quoted, and why',
  'operate oracles resume <address>                     quotes again on the markets of an oracle',
  'operate token-keys rotate <file>                     a new key signs, the one before still verifies',
  'operate token-keys retire <file>                     only the key that signs still verifies',
  'operate vault signers                                how many price signers there are and an order needs',
  'operate vault raise-alarm                            every order needs all price signers for six hours',
  'operate vault remove-signer <address>                its signatures count no more',
  'operate vault add-signer <address>                   its signatures count',
  'operate vault threshold <count>                      so many signatures are needed',
  'operate vault loan <position key>                    what a position owes, and what of it is impaired',
  'operate vault impair <position key>                  its loan counts as likely lost for who leaves the pool',
  'operate vault clear <position key>                   it counts in full again',
].join('\n');

/** The reason a quote is refused with when the operator gives none (specification, Hint params). */
const defaultReason = 'force_disabled';

/** What operations act on. The store is opened only by those that need it. */
export interface Operations {
  readonly markets: () => Pick<MarketStore, 'byTicker' | 'setDisabled'>;
  /** The chain and the vault, opened only by those that need it. */
  readonly vault: () => Promise<OperatedVault>;
  readonly oracles: () => Pick<OracleStore, 'stopped' | 'resume'>;
  readonly nowMs: () => number;
}

/** One operation by its words; the result is to be printed as JSON. @throws FriendlyError for any other words. */
export async function operate(words: readonly string[], operations: Operations): Promise<object> {
  const [subject, verb, name, ...options] = words;
  if (subject === 'vault' && verb !== undefined) {
    const result = await operateVault(verb, words.slice(2), operations.vault);
    if (result !== null) return result;
  }
  if (words.join(' ') === 'oracles list')
    return { stopped: (await operations.oracles().stopped()).map(presentStopped) };
  if (name === undefined) throw new FriendlyError(usage);
  switch (`${subject} ${verb}`) {
    case 'markets disable':
      return setDisabled(operations, name, reasonOf(options));
    case 'markets enable':
      if (options.length > 0) throw new FriendlyError(usage);
      return setDisabled(operations, name, null);
    case 'oracles resume':
      return resumeOracle(operations, name);
    case 'token-keys rotate':
      return replaceKeys(name, rotatedTokenKeys);
    case 'token-keys retire':
      return replaceKeys(name, retiredTokenKeys);
    default:
      throw new FriendlyError(usage);
  }
}

function reasonOf(options: readonly string[]): string {
  const [flag, reason, ...rest] = options;
  if (flag === undefined) return defaultReason;
  if (flag !== '--reason' || reason === undefined || rest.length > 0) throw new FriendlyError(usage);
  return reason;
}

async function setDisabled(
  operations: Operations,
  ticker: string,
  disabledReason: string | null,
): Promise<{ readonly ticker: string; readonly disabled_reason: string | null }> {
  const markets = operations.markets();
  const market = await markets.byTicker(ticker);
  if (market === null) throw new FriendlyError(`no market has the ticker ${ticker}`);
  await markets.setDisabled(market.id, disabledReason, operations.nowMs());
  return { ticker, disabled_reason: disabledReason };
}

function presentStopped({ address, reason, stoppedAtMs }: StoppedOracle) {
  return { address, reason, stopped_at: new Date(stoppedAtMs).toISOString() };
}

async function resumeOracle({ oracles, nowMs }: Operations, address: string): Promise<object> {
  if (!(await oracles().resume(address, nowMs()))) throw new FriendlyError(`the oracle ${address} is not stopped`);
  return { resumed: address.toLowerCase() };
}

function replaceKeys(path: string, change: (current: unknown) => ReturnType<typeof rotatedTokenKeys>): object {
  const current = readTokenKeyFile(path);
  if (current === null && change === retiredTokenKeys) throw new FriendlyError(`there is no file ${path}`);
  const keys = change(current);
  writeTokenKeyFile(path, keys);
  return { file: path, kids: keys.keys.map(({ kid }) => kid) };
}
