import { setTimeout as delay } from 'node:timers/promises';
import type { Address, Hex } from 'viem';
import { z } from 'zod';
import type { VenueAccount } from '../port/credentials.ts';
import { isVenueFault, VenueFault } from '../port/venueFault.ts';
import type { OrderDomain, VenueContracts } from '../profile/venueProfile.ts';
import { type HttpTransport, requestJson, type TransportOptions, transportOf } from './httpRequest.ts';
import { read } from './readAnswer.ts';
import { type WalletCall, walletBatchMessageOf } from './walletBatch.ts';
import { depositWalletOf } from './walletSignature.ts';

export interface WalletRelayerOptions extends TransportOptions {
  /** Origin of the relayer. */
  readonly url: string;
  /** Owner of the wallet, whose signature of a batch counts. */
  readonly owner: VenueAccount;
  /** Key of the owner to the relayer. */
  readonly relayerKey: string;
  readonly contracts: Pick<VenueContracts, 'walletFactory' | 'walletBeacon'>;
  /** EIP-712 name and version of the wallet. */
  readonly walletDomain: OrderDomain;
  readonly chainId: number;
  /** Epoch milliseconds, on the clock of the chain: a batch expires ten minutes later. */
  readonly nowMs: () => number;
  /** Interval at which an unfinished transaction is polled, milliseconds; 1,000 by default. */
  readonly pollMs?: number;
  /** Longest time for which a transaction is polled, milliseconds; two minutes by default. */
  readonly settleMs?: number;
}

/** Life of a signed batch. */
const batchLifeSeconds = 600;
const defaultPollMs = 1_000;
const defaultSettleMs = 120_000;

const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{64}$/)]);
const deployedSchema = z.looseObject({ deployed: z.boolean() });
const parametersSchema = z.looseObject({ nonce: z.string().regex(/^\d{1,78}$/) });
const submittedSchema = z.looseObject({ transactionID: z.string().regex(/^[\w-]{1,100}$/) });
const transactionSchema = z.looseObject({
  state: z.enum(['STATE_NEW', 'STATE_EXECUTED', 'STATE_MINED', 'STATE_CONFIRMED', 'STATE_INVALID', 'STATE_FAILED']),
  transaction_hash: z.union([hash, z.literal('')]).nullish(),
  error_msg: z.string().nullish(),
});

/** Request of the relayer by its method, with the body of a POST. */
type RelayerRequest = { readonly method: 'GET' } | { readonly method: 'POST'; readonly body: unknown };

/** Deposit wallet of one owner, made and moved by the venue's relayer, one transaction after the other. */
export class WalletRelayer {
  /** Address of the wallet, made or not. */
  readonly wallet: Address;
  readonly #options: WalletRelayerOptions;
  readonly #transport: HttpTransport;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: WalletRelayerOptions) {
    this.#options = options;
    this.#transport = transportOf(options);
    this.wallet = depositWalletOf(options.owner.address, options.contracts);
  }

  /** Return true when the wallet has code on the chain. @throws VenueFault */
  async isMade(): Promise<boolean> {
    const path = `/deployed?${new URLSearchParams({ address: this.wallet, type: 'WALLET' })}`;
    return (await this.#request(path, { method: 'GET' }, deployedSchema)).deployed;
  }

  /**
   * Deploy the wallet unless it exists, and wait until it does.
   * @throws VenueFault with the relayer's text when it refuses, or when the transaction fails or does not end.
   */
  make(): Promise<void> {
    return this.#queued(() => this.#make());
  }

  /**
   * Execute calls of the wallet as one batch, signed by the owner, and wait until it is confirmed: all calls or none.
   *
   * @returns Hash of the transaction.
   * @throws VenueFault with the relayer's text when it refuses, or when the transaction fails or does not end. After a
   * fault whose `effect` is `maybe` the batch may still be executed: read the chain before the calls are sent again.
   */
  execute(calls: readonly WalletCall[]): Promise<Hex> {
    return this.#queued(() => this.#execute(calls));
  }

  #queued<Value>(work: () => Promise<Value>): Promise<Value> {
    const attempt = this.#last.then(work);
    this.#last = attempt.catch(() => undefined);
    return attempt;
  }

  async #make(): Promise<void> {
    if (await this.isMade()) return;
    const { owner, contracts } = this.#options;
    const body = { type: 'WALLET-CREATE', from: owner.address, to: contracts.walletFactory };
    try {
      await this.#submit(body);
    } catch (error) {
      // Another program may have made the wallet meanwhile.
      if (!isVenueFault(error) || !(await this.isMade())) throw error;
    }
  }

  async #execute(calls: readonly WalletCall[]): Promise<Hex> {
    const { owner, contracts, walletDomain, chainId, nowMs } = this.#options;
    const query = new URLSearchParams({ address: owner.address, type: 'WALLET' });
    const path = `/v1/account/transactions/params?${query}`;
    const { nonce } = await this.#request(path, { method: 'GET' }, parametersSchema);
    const deadline = BigInt(Math.floor(nowMs() / 1000) + batchLifeSeconds);
    const batch = { wallet: this.wallet, nonce: BigInt(nonce), deadline, calls };
    return this.#submit({
      type: 'WALLET',
      from: owner.address,
      to: contracts.walletFactory,
      nonce,
      signature: await owner.signMessage(walletBatchMessageOf(batch, { ...walletDomain, chainId })),
      depositWalletParams: {
        depositWallet: this.wallet,
        deadline: String(deadline),
        calls: calls.map(({ target, value, data }) => ({ target, value: String(value), data })),
      },
    });
  }

  /** Submit a transaction, wait until it is confirmed, and return its hash. */
  async #submit(body: unknown): Promise<Hex> {
    const { pollMs = defaultPollMs, settleMs = defaultSettleMs } = this.#options;
    const { transactionID } = await this.#request('/submit', { method: 'POST', body }, submittedSchema);
    let lastFault: VenueFault | null = null;
    for (let waitedMs = 0; waitedMs < settleMs; waitedMs += pollMs) {
      const observation = await this.#observe(transactionID);
      if (observation instanceof VenueFault) lastFault = observation;
      else {
        const { state, transaction_hash, error_msg } = observation;
        if (state === 'STATE_FAILED' || state === 'STATE_INVALID') throw failedFault(error_msg || state);
        if (state === 'STATE_CONFIRMED' && transaction_hash) return transaction_hash;
      }
      await (this.#options.sleep ?? delay)(pollMs);
    }
    const message = `the relayer's transaction ${transactionID} did not end within ${settleMs} ms`;
    throw new VenueFault({ code: 'venue_timeout', kind: 'retryable', effect: 'maybe', message, cause: lastFault });
  }

  /** Read a transaction that the relayer took, or return the fault of this read: the transaction continues. */
  async #observe(transactionId: string): Promise<z.output<typeof transactionSchema> | VenueFault> {
    try {
      return await this.#request(`/v1/account/transactions/${transactionId}`, { method: 'GET' }, transactionSchema);
    } catch (error) {
      if (isVenueFault(error)) return error;
      throw error;
    }
  }

  #request<Schema extends z.ZodType>(path: string, request: RelayerRequest, schema: Schema): Promise<z.output<Schema>> {
    const { url, owner, relayerKey } = this.#options;
    const headers = { RELAYER_API_KEY: relayerKey, RELAYER_API_KEY_ADDRESS: owner.address };
    return requestJson(
      { url: `${url}${path}`, path: path.split('?')[0] ?? path, group: 'relayer', headers, ...request },
      this.#transport,
      ({ body }) => read(schema, body),
    );
  }
}

/** The fault of a transaction that the relayer took and the chain did not. */
const failedFault = (text: string): VenueFault =>
  new VenueFault({
    code: 'request_invalid',
    kind: 'terminal',
    effect: 'no',
    message: `the relayer's transaction failed: ${text}`,
  });
