import { pricePips, raw, type TokenUnits, type UsdcUnits } from '@core/pricing';
import { ChainAction } from '../chain/action.ts';
import type { ActionPlan, MinedCall, PlannedTransaction, Shown } from '../chain/actionPlan.ts';
import { PositionNotOpenedError } from '../chain/chainErrors.ts';
import { isAddress } from '../chain/contracts.ts';
import type { OwnWrites } from '../chain/ownWrites.ts';
import type { ChainSource, RpcRequest } from '../chain/rpc.ts';
import type { PositionDebt } from '../chain/vaultCalls.ts';
import { accountOf, type Transaction, type Wallet } from '../chain/wallet.ts';
import { InputError } from '../errors/inputError.ts';
import { checkKnown } from '../errors/knownOptions.ts';
import { LevError } from '../errors/levError.ts';
import type { ContractInfo, OpeningTransaction, OpenPosition, Position, Quote } from '../generated/resources.ts';
import { aboveZero, tokenUnitsOf, usdcUnitsOf, usdPipsOf } from '../money/amounts.ts';
import type { KnownTerms } from '../quotes/rateChecks.ts';
import type { Follower, Goal } from './followPosition.ts';
import { keyOf, type PositionRef } from './positionRef.ts';

/** Options of an action; without a wallet only the plain transactions are available. */
export interface ActionOptions {
  readonly wallet?: Wallet;
  /** Maximum wait for the result after the call is mined, in milliseconds; five minutes when absent. */
  readonly waitMs?: number;
}

/** Dependencies of the actions. */
export interface ActionHost extends Follower {
  /** Return true when a position is among the newest in the list. */
  readonly isListed: (key: string) => Promise<boolean>;
  readonly contractInfo: () => Promise<ContractInfo>;
  readonly chain: ChainSource | undefined;
}

type Verb = 'requestClose' | 'addMargin' | 'cancelPosition' | 'exitByRepaying' | 'claim';

/** Maximum amount, which the vault treats as all tokens of the position. */
const everything = 2n ** 256n - 1n;
const isActive = (position: Position): position is OpenPosition => 'current' in position;
/** Divisor of the margin on the current debt, a tenth of a percent, for the fees until the block of the call. */
const accrualDivisor = 1_000n;

/** Actions of a user on positions. Each is awaited, iterated over, or used for its transactions. */
export class PositionActions {
  readonly #host: ActionHost;
  readonly #writes: OwnWrites = { unsettledUntilMs: 0, block: 0, nextNonce: null };

  constructor(host: ActionHost) {
    this.#host = host;
  }

  /**
   * Open the position of a quote: verify it, approve the cost if needed, send the opening, and wait until the position
   * is open. Allowance and call are built from the verified values of the quote.
   *
   * @param terms Further values that the quote must equal: the chosen market, the fee rates, the slippage.
   * @throws QuoteNotVerifiedError, PositionNotOpenedError, and the errors of every action.
   * @example
   * ```ts
   * for await (const step of me.positions.open(quote, wallet)) console.log(step.step);
   * ```
   */
  open(quote: Quote, wallet: Wallet | null = null, terms: KnownTerms = {}): ChainAction<Position> {
    const check = (): void => checkKnown('open', terms, { known: ['market', 'feeRates', 'slippageBps'] });
    const transactions = async (request: RpcRequest | null): Promise<readonly PlannedTransaction[]> => {
      if (typeof quote !== 'object') throw new InputError('quote', quote, 'Give the answer of `quotes.promote`.');
      const account = wallet === null ? quote.authority_public_key : accountOf(wallet);
      const contractInfo = await this.#host.contractInfo();
      const { verifiedOpening } = await import('../quotes/checkQuote.ts');
      const { approvals, to, data, value } = await verifiedOpening(quote, { ...terms, account, contractInfo });
      const missing = await Promise.all(approvals.map((approval) => missingApproval(request, account, approval)));
      const isEffective = (): Promise<boolean> => this.#host.isListed(quote.on_chain_position_key);
      return [...missing.flat(), { purpose: 'call', to, data, value, isEffective }];
    };
    const result = async (call: MinedCall): Promise<Shown<Position>> => {
      const isReached = ({ status }: Position): boolean => status !== 'pending';
      const outcome = await this.#follow({ key: quote.on_chain_position_key, isReached, ...call });
      if (outcome.result.status === 'cancelled') throw new PositionNotOpenedError(outcome.result);
      return outcome;
    };
    return this.#action({ transactions, result, check }, wallet);
  }

  /**
   * Request the sale of all tokens at a price of at least `minPriceUsd`. Resolves when the position has ended, or when
   * this sale was attempted without success.
   */
  close(position: PositionRef, options: ActionOptions & { readonly minPriceUsd: string }): ChainAction<Position> {
    let deferredBefore: string | undefined;
    const deferredAtOf = (now: Position | null): string | undefined =>
      now !== null && isActive(now) ? now.close_attempt?.deferred_at : undefined;
    const rest = async (): Promise<readonly unknown[]> => {
      const minPrice = minPriceOf(options.minPriceUsd);
      // The position may show the attempt of an earlier request.
      deferredBefore = deferredAtOf(await this.#host.byKey(keyOf(position)));
      return [everything, minPrice];
    };
    const isReached = (now: Position): boolean =>
      !isActive(now) || ![undefined, deferredBefore].includes(deferredAtOf(now));
    return this.#vaultAction(position, {
      name: 'close',
      verb: 'requestClose',
      rest,
      isReached,
      options,
      known: ['minPriceUsd'],
      hints: { tokens: 'It sells everything; `closePart` sells some tokens.' },
    });
  }

  /** Request the sale of some tokens, as decimal text or units. Resolves when fewer remain. */
  closePart(
    position: PositionRef,
    options: ActionOptions & { readonly tokens: string | TokenUnits; readonly minPriceUsd: string },
  ): ChainAction<Position> {
    let heldBefore = 0n;
    const rest = async (): Promise<readonly unknown[]> => {
      const { tokens, minPriceUsd } = options;
      // The vault treats zero as the withdrawal of a request.
      const units = aboveZero('tokens', raw(tokenUnitsOf('tokens', tokens)));
      heldBefore = BigInt((await this.#active(position)).current.position_token_units);
      return [units, minPriceOf(minPriceUsd)];
    };
    const isReached = (now: Position): boolean =>
      !isActive(now) || (now.pending_operation === null && BigInt(now.current.position_token_units) < heldBefore);
    return this.#vaultAction(position, {
      name: 'closePart',
      verb: 'requestClose',
      rest,
      isReached,
      options,
      known: ['tokens', 'minPriceUsd'],
    });
  }

  /** Withdraw a pending sale request. Resolves when none is pending. */
  withdrawClose(position: PositionRef, options: ActionOptions = {}): ChainAction<Position> {
    const isReached = (now: Position): boolean => !isActive(now) || now.pending_operation === null;
    const rest = async (): Promise<readonly unknown[]> => [0n, 0n];
    return this.#vaultAction(position, { name: 'withdrawClose', verb: 'requestClose', rest, isReached, options });
  }

  /** Repay debt from the wallet, at most the amount owed. Resolves with the next state of the position. */
  addMargin(
    position: PositionRef,
    options: ActionOptions & { readonly amountUsd: string | UsdcUnits },
  ): ChainAction<Position> {
    const needs = async (): Promise<bigint> => aboveZero('amountUsd', raw(usdcUnitsOf('amountUsd', options.amountUsd)));
    const rest = async (): Promise<readonly unknown[]> => [await needs()];
    return this.#vaultAction(position, {
      name: 'addMargin',
      verb: 'addMargin',
      rest,
      options,
      known: ['amountUsd'],
      needs,
    });
  }

  /** Cancel a pending opening; a part that is filled by then opens. */
  cancel(position: PositionRef, options: ActionOptions = {}): ChainAction<Position> {
    const isReached = (now: Position): boolean => now.status !== 'pending';
    return this.#vaultAction(position, { name: 'cancel', verb: 'cancelPosition', isReached, options });
  }

  /** Repay everything from the wallet and withdraw the tokens; needs neither keeper nor venue. */
  exit(position: PositionRef, options: ActionOptions & { readonly to: string }): ChainAction<Position> {
    const needs = async (request: RpcRequest | null): Promise<bigint> => {
      if (request === null) throw new InputError('wallet', undefined, 'Give a `wallet` to read the debt.');
      const { principalUsdcUnits, feesUsdcUnits } = await this.#debtOf(request, position);
      const owed = raw(principalUsdcUnits) + raw(feesUsdcUnits);
      return owed + owed / accrualDivisor + 1n;
    };
    const isReached = (now: Position): boolean => !isActive(now);
    const rest = async (): Promise<readonly unknown[]> => {
      if (isAddress(options.to)) return [options.to];
      throw new InputError('to', options.to, '`to` must be the address that gets the tokens.');
    };
    return this.#vaultAction(position, {
      name: 'exit',
      verb: 'exitByRepaying',
      rest,
      isReached,
      options,
      known: ['to'],
      needs,
    });
  }

  /** Withdraw tokens and USDC that have reached the account of a finished position since it ended. */
  claim(position: PositionRef, options: ActionOptions = {}): ChainAction<Position> {
    return this.#vaultAction(position, { name: 'claim', verb: 'claim', options });
  }

  /**
   * Read the debt owed now from the chain, with the inputs of the liquidation price. Needs viem, and a chain to read.
   *
   * @throws LevError `position_not_found` when the vault has none.
   */
  async debt(position: PositionRef, chain: ChainSource | undefined = this.#host.chain): Promise<PositionDebt> {
    const { rpcOf, sourceOf } = await import('../chain/rpc.ts');
    return this.#debtOf(rpcOf(sourceOf(chain), this.#host.surroundings), position);
  }

  async #debtOf(request: RpcRequest, position: PositionRef): Promise<PositionDebt> {
    const { debtOf } = await import('../chain/vaultCalls.ts');
    const { polygon_vault_contract_address: vault } = await this.#host.contractInfo();
    const debt = await debtOf(request, vault, keyOf(position));
    if (debt === null) throw new LevError('position_not_found', `the vault has no position ${keyOf(position)}`);
    return debt;
  }

  #vaultAction(
    position: PositionRef,
    act: {
      /** Method of this client. */
      readonly name: string;
      readonly verb: Verb;
      readonly options: ActionOptions;
      /** Names of further options. */
      readonly known?: readonly string[];
      readonly hints?: Readonly<Record<string, string>>;
      /** Return the arguments after the key; there are none without it. */
      readonly rest?: () => Promise<readonly unknown[]>;
      /** Return the USDC units that the vault takes from the wallet. */
      readonly needs?: (request: RpcRequest | null) => Promise<bigint>;
      readonly isReached?: (position: Position) => boolean;
    },
  ): ChainAction<Position> {
    const { options, known = [], hints = {} } = act;
    const check = (): void => checkKnown(act.name, options, { known: ['wallet', ...known, 'waitMs'], hints });
    const transactions = async (
      request: RpcRequest | null,
      account: string | null,
    ): Promise<readonly PlannedTransaction[]> => {
      const { vaultCall } = await import('../chain/vaultCalls.ts');
      const args = [keyOf(position), ...((await act.rest?.()) ?? [])];
      const info = await this.#host.contractInfo();
      const vault = info.polygon_vault_contract_address;
      const units = (await act.needs?.(request)) ?? 0n;
      const approval = { token: info.polygon_usdc_token_address, spender: vault, units: String(units) };
      const allowances = units === 0n ? [] : await missingApproval(request, account, approval);
      return [...allowances, { purpose: 'call', ...vaultCall(vault, act.verb, args) }];
    };
    const { isReached = () => true } = act;
    const result = (call: MinedCall): Promise<Shown<Position>> =>
      this.#follow({ key: keyOf(position), isReached, waitMs: options.waitMs, ...call });
    return this.#action(
      { transactions, result, check, needsHash: act.isReached === undefined },
      options?.wallet ?? null,
    );
  }

  #action(plan: Omit<ActionPlan<Position>, 'chainId' | 'writes'>, wallet: Wallet | null): ChainAction<Position> {
    const chainId = async (): Promise<number> => Number((await this.#host.contractInfo()).evm_chain_id);
    return new ChainAction({ ...plan, chainId, writes: this.#writes }, wallet, this.#host.surroundings);
  }

  async #follow(goal: Goal): Promise<Shown<Position>> {
    const { followPosition } = await import('./followPosition.ts');
    return followPosition(this.#host, goal);
  }

  /**
   * Read the position again: the caller's may be from earlier.
   *
   * @throws LevError `position_not_found` when there is no active one.
   */
  async #active(position: PositionRef): Promise<OpenPosition> {
    const current = await this.#host.byKey(keyOf(position));
    if (current !== null && isActive(current)) return current;
    throw new LevError('position_not_found', `no active position has the key ${keyOf(position)}`);
  }
}

const pipsPerUsd = 10_000n;

/** Parse a price of one token in whole pips. */
function minPriceOf(minPriceUsd: string): bigint {
  const price = raw(pricePips(raw(usdPipsOf('minPriceUsd', minPriceUsd))));
  if (price <= pipsPerUsd) return price;
  throw new InputError('minPriceUsd', minPriceUsd, '`minPriceUsd` is the price of one token: not above 1.');
}

/** Return the missing allowance; without a reader it counts as missing. */
async function missingApproval(
  request: RpcRequest | null,
  account: string | null,
  { token, spender, units }: OpeningTransaction['approvals'][number],
): Promise<readonly PlannedTransaction[]> {
  const { allowanceOf, approval } = await import('../chain/vaultCalls.ts');
  const required = BigInt(units);
  const transaction: Transaction = approval(token, spender, required);
  if (request === null || account === null) return [{ purpose: 'approve', ...transaction }];
  const isEffective = async (): Promise<boolean> =>
    (await allowanceOf(request, { token, account, spender })) >= required;
  return (await isEffective()) ? [] : [{ purpose: 'approve', ...transaction, isEffective }];
}
