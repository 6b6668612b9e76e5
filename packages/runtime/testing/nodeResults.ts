import type { Call } from '../src/nodeAnswers.ts';

const hashOf = (digit: string): string => `0x${digit.repeat(64)}`;
const addressOf = (digit: string): string => `0x${digit.repeat(40)}`;

const mined = { blockNumber: '0x10', blockHash: hashOf('b'), transactionHash: hashOf('a'), transactionIndex: '0x0' };

export const sampleLog = { ...mined, address: addressOf('3'), topics: [hashOf('c')], data: '0x', logIndex: '0x0' };

const sampleBlock = {
  number: '0x10',
  hash: hashOf('b'),
  parentHash: hashOf('d'),
  timestamp: '0x6a17c001',
  baseFeePerGas: '0x7',
  gasLimit: '0x1c9c380',
  gasUsed: '0x5208',
  transactions: [hashOf('a')],
};

const sampleReceipt = {
  ...mined,
  from: addressOf('1'),
  to: addressOf('3'),
  contractAddress: null,
  status: '0x1',
  gasUsed: '0x5208',
  cumulativeGasUsed: '0x5208',
  effectiveGasPrice: '0x7',
  logs: [sampleLog],
};

const sampleTransaction = {
  hash: hashOf('a'),
  from: addressOf('1'),
  to: addressOf('3'),
  nonce: '0x4',
  input: '0x',
  value: '0x0',
  blockNumber: '0x10',
  blockHash: hashOf('b'),
};

/** One call of each method, with a true result and the fields without which it is none. */
export const sampleCalls: readonly (Call & { readonly result: unknown; readonly fields: readonly string[] })[] = [
  { method: 'eth_blockNumber', params: [], result: '0x10', fields: [] },
  { method: 'eth_chainId', params: [], result: '0x7a69', fields: [] },
  { method: 'eth_estimateGas', params: [{}], result: '0x5208', fields: [] },
  { method: 'eth_gasPrice', params: [], result: '0x7', fields: [] },
  { method: 'eth_maxPriorityFeePerGas', params: [], result: '0x0', fields: [] },
  { method: 'eth_getBalance', params: [addressOf('1'), 'latest'], result: '0x0', fields: [] },
  { method: 'eth_getTransactionCount', params: [addressOf('1'), 'latest'], result: '0x4', fields: [] },
  { method: 'eth_call', params: [{ to: addressOf('3') }, 'latest'], result: '0x', fields: [] },
  { method: 'eth_getCode', params: [addressOf('3'), 'latest'], result: '0x6001', fields: [] },
  { method: 'eth_getStorageAt', params: [addressOf('3'), '0x0', 'latest'], result: hashOf('0'), fields: [] },
  { method: 'eth_sendRawTransaction', params: ['0x02'], result: hashOf('a'), fields: [] },
  {
    method: 'eth_feeHistory',
    params: ['0x1', 'latest', []],
    result: { oldestBlock: '0x10', baseFeePerGas: ['0x7', '0x7'], gasUsedRatio: [0.5] },
    fields: ['oldestBlock', 'baseFeePerGas'],
  },
  { method: 'eth_getLogs', params: [{ fromBlock: '0x0', toBlock: '0x10' }], result: [sampleLog], fields: [] },
  ...['latest', '0x10'].map((asked) => ({
    method: 'eth_getBlockByNumber',
    params: [asked, false],
    result: sampleBlock,
    fields: ['number', 'hash', 'parentHash', 'timestamp'],
  })),
  {
    method: 'eth_getBlockByHash',
    params: [hashOf('b'), false],
    result: sampleBlock,
    fields: ['number', 'hash', 'parentHash', 'timestamp'],
  },
  {
    method: 'eth_getTransactionByHash',
    params: [hashOf('a')],
    result: sampleTransaction,
    fields: ['hash', 'from', 'nonce', 'input', 'value'],
  },
  {
    method: 'eth_getTransactionReceipt',
    params: [hashOf('a')],
    result: sampleReceipt,
    fields: ['transactionHash', 'blockNumber', 'blockHash', 'status', 'gasUsed', 'cumulativeGasUsed', 'from', 'logs'],
  },
];
