import { z } from 'zod';
import { areAskedLogs } from './askedLogs.ts';
import type { Call } from './nodeAnswers.ts';

const hexNumber = z.string().regex(/^0x[0-9a-f]{1,64}$/i);
/** A number of blocks, seconds, gas or transactions: at most 64 bits. */
const count = z.string().regex(/^0x[0-9a-f]{1,16}$/i);
const bytes = z.string().regex(/^0x(?:[0-9a-f]{2})*$/i);
const hash = z.string().regex(/^0x[0-9a-f]{64}$/i);
const address = z.string().regex(/^0x[0-9a-f]{40}$/i);

const block = z.looseObject({
  number: count,
  hash,
  parentHash: hash,
  timestamp: count,
  baseFeePerGas: hexNumber.nullish(),
  gasLimit: count.nullish(),
  gasUsed: count.nullish(),
  transactions: z.array(z.union([hash, z.looseObject({ hash })])).nullish(),
});

/** A block that is not mined yet has neither number nor hash. */
const pendingBlock = block.extend({ number: count.nullish(), hash: hash.nullish() });

const log = z.looseObject({
  address,
  topics: z.array(hash).max(4),
  data: bytes,
  blockNumber: count,
  blockHash: hash,
  transactionHash: hash,
  transactionIndex: count,
  logIndex: count,
});

const logs = z.array(log);

const receipt = z.looseObject({
  transactionHash: hash,
  transactionIndex: count,
  blockNumber: count,
  blockHash: hash,
  from: address,
  to: address.nullish(),
  contractAddress: address.nullish(),
  status: z.enum(['0x0', '0x1']),
  gasUsed: count,
  cumulativeGasUsed: count,
  effectiveGasPrice: hexNumber.nullish(),
  logs,
});

const transaction = z.looseObject({
  hash,
  from: address,
  to: address.nullish(),
  nonce: count,
  input: bytes,
  value: hexNumber,
  blockNumber: count.nullish(),
  blockHash: hash.nullish(),
});

const feeHistory = z.looseObject({
  oldestBlock: count,
  baseFeePerGas: z.array(hexNumber).min(1),
  reward: z.array(z.array(hexNumber)).nullish(),
});

/** Forms of the results, by method. Only an unknown block, receipt or transaction is null. */
const resultForms: Readonly<Record<string, z.ZodType>> = {
  eth_blockNumber: count,
  eth_chainId: count,
  eth_estimateGas: count,
  eth_gasPrice: hexNumber,
  eth_getBalance: hexNumber,
  eth_getTransactionCount: count,
  eth_maxPriorityFeePerGas: hexNumber,
  eth_call: bytes,
  eth_getCode: bytes,
  eth_getStorageAt: bytes,
  eth_sendRawTransaction: hash,
  eth_feeHistory: feeHistory,
  eth_getLogs: logs,
  eth_getBlockByNumber: block.nullable(),
  eth_getBlockByHash: block.nullable(),
  eth_getTransactionByHash: transaction.nullable(),
  eth_getTransactionReceipt: receipt.nullable(),
};

/** Field of a result that repeats the number or hash that was asked for, by method. */
const repeatedFields: Readonly<Record<string, string>> = {
  eth_getBlockByNumber: 'number',
  eth_getBlockByHash: 'hash',
  eth_getTransactionByHash: 'hash',
  eth_getTransactionReceipt: 'transactionHash',
};

/** False for a result that the method cannot have: null for a head, a block without a time, another receipt or log. */
export function isResult({ method, params }: Call, result: unknown): boolean {
  const [asked]: readonly unknown[] = Array.isArray(params) ? params : [];
  const form = formOf(method, asked);
  if (form === undefined) return true;
  if (!form.safeParse(result).success) return false;
  if (method === 'eth_getLogs') return areAskedLogs(asked, logs.parse(result));
  const field = Object.hasOwn(repeatedFields, method) ? repeatedFields[method] : undefined;
  if (field === undefined || typeof result !== 'object' || result === null) return true;
  if (typeof asked !== 'string' || !asked.startsWith('0x')) return true;
  return BigInt(asked) === BigInt(String(Reflect.get(result, field)));
}

function formOf(method: string, asked: unknown): z.ZodType | undefined {
  if (method === 'eth_getBlockByNumber' && asked === 'latest') return block;
  if (method === 'eth_getBlockByNumber' && asked === 'pending') return pendingBlock.nullable();
  return Object.hasOwn(resultForms, method) ? resultForms[method] : undefined;
}
