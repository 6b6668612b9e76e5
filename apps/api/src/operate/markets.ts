import { FriendlyError } from '@core/runtime';
import type { StoppedOracle } from '@core/store';
import type { Call, Operated, Operations } from './command.ts';

/** Default reason of a rejected quote (specification, Hint params). */
const defaultReason = 'force_disabled';

/** Refuse new positions in a market. @throws FriendlyError for an unknown ticker. */
export function disableMarket(operations: Operations, { args, option }: Call): Promise<Operated> {
  return setDisabled(operations, args[0] ?? '', option('reason') ?? defaultReason);
}

/** Accept new positions in a market again. @throws FriendlyError for an unknown ticker. */
export function enableMarket(operations: Operations, { args }: Call): Promise<Operated> {
  return setDisabled(operations, args[0] ?? '', null);
}

async function setDisabled(
  { store, nowMs }: Operations,
  ticker: string,
  disabledReason: string | null,
): Promise<Operated> {
  const { markets } = await store();
  const market = await markets.byTicker(ticker);
  if (market === null) throw new FriendlyError(`no market has the ticker ${ticker}; take one from the market list`);
  await markets.setDisabled(market.id, disabledReason, nowMs());
  return { value: { ticker, disabled_reason: disabledReason } };
}

/** List the oracles whose markets are not quoted. */
export async function listOracles({ store }: Operations): Promise<Operated> {
  return { value: { stopped: (await (await store()).oracles.stopped()).map(presentStopped) } };
}

function presentStopped({ address, reason, stoppedAtMs }: StoppedOracle) {
  return { address, reason, stopped_at: new Date(stoppedAtMs).toISOString() };
}

/** Resume quotes for the markets of an oracle. @throws FriendlyError when it is not stopped. */
export async function resumeOracle({ store, nowMs }: Operations, { args }: Call): Promise<Operated> {
  const [address = ''] = args;
  if (!(await (await store()).oracles.resume(address, nowMs()))) {
    throw new FriendlyError(`the oracle ${address} is not stopped`);
  }
  return { value: { resumed: address.toLowerCase() } };
}
