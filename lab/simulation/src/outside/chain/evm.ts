import type { LocalProvider } from '@core/contracts/local';
import {
  createTestClient,
  custom,
  type Hash,
  type Hex,
  keccak256,
  publicActions,
  serializeTransaction,
  type Transaction,
} from 'viem';

/** Number, time and hash of a block. */
export interface BlockTime {
  readonly number: number;
  readonly hash: Hash;
  readonly timestamp: number;
}

const clientOf = (provider: LocalProvider) =>
  createTestClient({
    mode: 'hardhat',
    transport: custom(provider, { retryCount: 0 }),
    cacheTime: 0,
  }).extend(publicActions);

/** The EVM of a chain and its pool, without a clock. */
export class Evm {
  readonly provider: LocalProvider;
  readonly client: ReturnType<typeof clientOf>;
  /** Order in which transactions came: the EVM lists its pool in none. */
  readonly #arrivals = new Map<Hash, number>();

  constructor(provider: LocalProvider) {
    this.provider = provider;
    this.client = clientOf(provider);
  }

  request(method: string, params: readonly unknown[] = []): Promise<unknown> {
    return this.provider.request({ method, params });
  }

  /** Return the newest block. */
  async head(): Promise<BlockTime> {
    const { number, hash, timestamp } = await this.client.getBlock({ blockTag: 'latest' });
    return { number: Number(number), hash, timestamp: Number(timestamp) };
  }

  /** Record the arrival of a transaction. */
  record(hash: Hash): void {
    if (!this.#arrivals.has(hash)) this.#arrivals.set(hash, this.#arrivals.size);
  }

  /** Return the transactions that wait, in the order in which they came. */
  async pool(): Promise<Transaction[]> {
    const listed = await this.client.request<{ Parameters: []; ReturnType: readonly { readonly hash: Hash }[] }>({
      method: 'eth_pendingTransactions',
      params: [],
    });
    const arrivalOf = (hash: Hash): number => this.#arrivals.get(hash) ?? 0;
    const hashes = listed.map(({ hash }) => hash).toSorted((left, right) => arrivalOf(left) - arrivalOf(right));
    return Promise.all(hashes.map((hash) => this.client.getTransaction({ hash })));
  }

  /** Remove a transaction from the pool. Later ones of its sender wait until the gap is closed. */
  async remove(hash: Hash): Promise<void> {
    await this.client.dropTransaction({ hash });
  }

  /** Return a transaction to the pool; false when the pool refuses it by now. */
  async restore(transaction: Transaction): Promise<boolean> {
    try {
      await this.client.sendRawTransaction({ serializedTransaction: rawOf(transaction) });
      return true;
    } catch {
      // A spent nonce or too little money: a real node forgets such a transaction without a word.
      return false;
    }
  }
}

/** Return the signed bytes of a transaction, which the EVM does not give out. */
function rawOf(transaction: Transaction): Hex {
  const { r, s, v, yParity, input, hash, ...fields } = transaction;
  const signature = yParity === undefined ? { r, s, v } : { r, s, yParity };
  const raw = serializeTransaction({ ...fields, data: input }, signature);
  if (keccak256(raw) !== hash) throw new Error(`transaction ${hash} cannot be serialised again`);
  return raw;
}
