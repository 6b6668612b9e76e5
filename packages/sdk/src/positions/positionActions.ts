import { pricePips, raw, type TokenUnits, type UsdcUnits } from '@core/pricing';
import { ChainAction, type PlannedTransaction } from '../chain/action.ts';
import { PositionNotOpenedError } from '../chain/chainErrors.ts';
import { type ChainSource, type RpcRequest, rpcOf } from '../chain/rpc.ts';
import type { PositionDebt } from '../chain/vaultCalls.ts';
import { accountOf, type Transaction, type Wallet } from '../chain/wallet.ts';
import { LevError } from '../errors/levError.ts';
import type { ContractInfo, OpenPosition, Position, Quote } from '../generated/resources.ts';
import { tokenUnitsOf, usdcUnitsOf, usdPipsOf } from '../money/amounts.ts';
import { QuoteNotVerifiedError, verifyQuote } from '../quotes/verifyQuote.ts';
import { type Follower, followPosition } from './followPosition.ts';

/** A position, or its `on_chain_position_key`. */
export type PositionRef = Position | string;

/** The wallet that acts; without one only the plain transactions can be had. */
export interface ActionOptions {
  readonly wallet?: Wallet;
}

/** What the actions need of their client. */
export interface ActionHost extends Follower {
  readonly contractInfo: () => Promise<ContractInfo>;
  readonly chain: ChainSource | undefined;
}

type Verb = 'requestClose' | 'addMargin' | 'cancelPosition' | 'exitByRepaying' | 'claim';

const isActive = (position: Position): position is OpenPosition => 'current' in position;
/** Added to what is owed now, a tenth of a percent: fees grow until the transaction is in a block. */
const accrualDivisor = 1_000n;

/** What a user does to positions on chain. Each action is awaited, iterated over, or asked for its transactions. */
export class PositionActions {
  readonly #host: ActionHost;

  constructor(host: ActionHost) {
    this.#host = host;
  }

  /**
   * Opens the position of a quote: verifies it, approves the cost where it is not approved yet, sends it, and waits
   * until the position is open. @throws QuoteNotVerifiedError, PositionNotOpenedError, and what every action throws.
   */
  open(quote: Quote, wallet: Wallet | null = null): ChainAction<Position> {
    const key = quote.on_chain_position_key;
    const transactions = async (request: RpcRequest | null): Promise<readonly PlannedTransaction[]> => {
      const account = wallet === null ? quote.authority_public_key : accountOf(wallet);
      const check = await verifyQuote(quote, { account, contractInfo: await this.#host.contractInfo() });
      if (!check.verified) throw new QuoteNotVerifiedError(check.field);
      const { transaction } = quote;
      if (transaction === undefined) throw new TypeError('ask for the quote with `expand=transaction`');
      const approvals = await Promise.all(
        transaction.approvals.map((approval) => missingApproval(request, account, approval)),
      );
      const { to, data, value } = transaction;
      return [...approvals.flat(), { purpose: 'call', to, data, value }];
    };
    const result = async (hash: string): Promise<Position> => {
      const position = await this.#follow(key, hash, ({ status }) => status !== 'pending');
      if (position.status === 'cancelled') throw new PositionNotOpenedError(position);
      return position;
    };
    return new ChainAction({ transactions, result }, wallet, this.#host.surroundings);
  }

  /** Asks for the sale of everything at a price of at least `minPriceUsd`; resolves when the position has ended. */
  close(
    position: PositionRef,
    { wallet, minPriceUsd }: ActionOptions & { readonly minPriceUsd: string },
  ): ChainAction<Position> {
    const call = async (): Promise<readonly unknown[]> => {
      const held = await this.#active(position);
      return [BigInt(held.current.position_token_units), minPriceOf(minPriceUsd)];
    };
    const isReached = (now: Position): boolean => !isActive(now) || now.close_attempt !== null;
    return this.#vaultAction(position, { verb: 'requestClose', rest: call, isReached, wallet });
  }

  /** Asks for the sale of some tokens, given as decimal text or units; resolves when less is held. */
  closePart(
    position: PositionRef,
    {
      wallet,
      tokens,
      minPriceUsd,
    }: ActionOptions & { readonly tokens: string | TokenUnits; readonly minPriceUsd: string },
  ): ChainAction<Position> {
    let heldBefore = 0n;
    const rest = async (): Promise<readonly unknown[]> => {
      heldBefore = BigInt((await this.#active(position)).current.position_token_units);
      return [raw(tokenUnitsOf('tokens', tokens)), minPriceOf(minPriceUsd)];
    };
    const isReached = (now: Position): boolean =>
      !isActive(now) || (now.pending_operation === null && BigInt(now.current.position_token_units) < heldBefore);
    return this.#vaultAction(position, { verb: 'requestClose', rest, isReached, wallet });
  }

  /** Takes back a request to sell that was not served yet; resolves when none is pending. */
  withdrawClose(position: PositionRef, { wallet }: ActionOptions = {}): ChainAction<Position> {
    const isReached = (now: Position): boolean => !isActive(now) || now.pending_operation === null;
    return this.#vaultAction(position, { verb: 'requestClose', rest: async () => [0n, 0n], isReached, wallet });
  }

  /** Repays debt from the wallet, at most what is owed; resolves with the position as it is shown next. */
  addMargin(
    position: PositionRef,
    { wallet, amountUsd }: ActionOptions & { readonly amountUsd: string | UsdcUnits },
  ): ChainAction<Position> {
    const units = raw(usdcUnitsOf('amountUsd', amountUsd));
    const rest = async (): Promise<readonly unknown[]> => [units];
    return this.#vaultAction(position, { verb: 'addMargin', rest, wallet, needs: async () => units });
  }

  /** Cancels an opening that is pending; what was filled until then opens. */
  cancel(position: PositionRef, { wallet }: ActionOptions = {}): ChainAction<Position> {
    const isReached = (now: Position): boolean => now.status !== 'pending';
    return this.#vaultAction(position, { verb: 'cancelPosition', rest: async () => [], isReached, wallet });
  }

  /** Repays everything from the wallet and takes the tokens; needs neither keeper nor venue. */
  exit(position: PositionRef, { wallet, to }: ActionOptions & { readonly to: string }): ChainAction<Position> {
    const needs = async (request: RpcRequest | null): Promise<bigint> => {
      if (request === null) throw new TypeError('give a wallet to read what is owed');
      const { principalUsdcUnits, feesUsdcUnits } = await this.#debtOf(request, position);
      const owed = raw(principalUsdcUnits) + raw(feesUsdcUnits);
      return owed + owed / accrualDivisor + 1n;
    };
    const isReached = (now: Position): boolean => !isActive(now);
    return this.#vaultAction(position, { verb: 'exitByRepaying', rest: async () => [to], isReached, wallet, needs });
  }

  /** Takes what has reached the account of a finished position since it ended. */
  claim(position: PositionRef, { wallet }: ActionOptions = {}): ChainAction<Position> {
    return this.#vaultAction(position, { verb: 'claim', rest: async () => [], wallet });
  }

  /**
   * What the chain says is owed now, and what the liquidation price follows from. Needs viem, and a chain to read.
   * @throws LevError `position_not_found` when the vault has none.
   */
  async debt(position: PositionRef, chain: ChainSource | undefined = this.#host.chain): Promise<PositionDebt> {
    if (chain === undefined) throw new TypeError('give a node or a reader as `chain` of the client, or here');
    return this.#debtOf(rpcOf(chain, this.#host.surroundings), position);
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
      readonly verb: Verb;
      readonly wallet: Wallet | undefined;
      /** Arguments after the key. */
      readonly rest: () => Promise<readonly unknown[]>;
      /** USDC units that the vault takes from the wallet. */
      readonly needs?: (request: RpcRequest | null) => Promise<bigint>;
      readonly isReached?: (position: Position) => boolean;
    },
  ): ChainAction<Position> {
    const key = keyOf(position);
    const transactions = async (
      request: RpcRequest | null,
      account: string | null,
    ): Promise<readonly PlannedTransaction[]> => {
      const { vaultCall } = await import('../chain/vaultCalls.ts');
      const info = await this.#host.contractInfo();
      const vault = info.polygon_vault_contract_address;
      const units = (await act.needs?.(request)) ?? 0n;
      const approval = { token: info.polygon_usdc_token_address, spender: vault, units: String(units) };
      const allowances = units === 0n ? [] : await missingApproval(request, account, approval);
      return [...allowances, { purpose: 'call', ...vaultCall(vault, act.verb, [key, ...(await act.rest())]) }];
    };
    const result = (hash: string): Promise<Position> => this.#follow(key, hash, act.isReached ?? (() => true));
    return new ChainAction({ transactions, result }, act.wallet ?? null, this.#host.surroundings);
  }

  #follow(key: string, hash: string, isReached: (position: Position) => boolean): Promise<Position> {
    return followPosition(this.#host, { key, hash, isReached });
  }

  /** The position as it is shown now. @throws LevError `position_not_found` when there is none that is active. */
  async #active(position: PositionRef): Promise<OpenPosition> {
    const shown = typeof position === 'string' ? await this.#host.byKey(position) : position;
    if (shown !== null && isActive(shown)) return shown;
    throw new LevError('position_not_found', `no active position has the key ${keyOf(position)}`);
  }
}

function keyOf(position: PositionRef): string {
  return typeof position === 'string' ? position.toLowerCase() : position.on_chain_position_key;
}

/** A price of one token in whole pips. */
function minPriceOf(minPriceUsd: string): bigint {
  return raw(pricePips(raw(usdPipsOf('minPriceUsd', minPriceUsd))));
}

/** The allowance that does not stand yet; without a reader it is taken as missing. */
async function missingApproval(
  request: RpcRequest | null,
  account: string | null,
  { token, spender, units }: { readonly token: string; readonly spender: string; readonly units: string },
): Promise<readonly PlannedTransaction[]> {
  const { allowanceOf, approval } = await import('../chain/vaultCalls.ts');
  const needed = BigInt(units);
  if (request !== null && account !== null && (await allowanceOf(request, { token, account, spender })) >= needed) {
    return [];
  }
  const transaction: Transaction = approval(token, spender, needed);
  return [{ purpose: 'approve', ...transaction }];
}
