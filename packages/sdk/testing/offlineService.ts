import { PositionState, vaultAbi } from '@core/vault';
import { exampleOf } from '@core/wire';
import { decodeFunctionData, encodeAbiParameters, encodeFunctionResult, erc20Abi, type Hex } from 'viem';
import {
  type ContractInfo,
  Lev,
  type LevOptions,
  type LevUser,
  type Position,
  type Quote,
  type Wallet,
} from '../src/index.ts';

/** Quote that the running service signed, with the basis of its figures. */
export const recordedQuote: Quote = {
  ...(exampleOf('createQuote').response as Quote),
  basis: {
    position_token_units: '246913580',
    venue_fee_usdc_units: '4307100',
    slippage_bps: 500,
    exit_buffer_bps: 800,
    opening_route: 'direct',
  },
};
/** Contracts of the same service. */
export const recordedContracts = exampleOf('getContractInfo').response as ContractInfo;

const recordedPositions = (exampleOf('listPositions').response as { readonly data: readonly Position[] }).data;

/** Open position of the recorded quote's wallet. */
export const openPosition: Position = {
  ...(recordedPositions.find(({ status }) => status === 'open') as Position),
  on_chain_position_key: recordedQuote.on_chain_position_key,
};

/** Pinned contracts of the recorded deployment. */
export const recordedPins = {
  chainId: Number(recordedContracts.evm_chain_id),
  vault: recordedContracts.polygon_vault_contract_address,
  usdc: recordedContracts.polygon_usdc_token_address,
  signer: recordedContracts.polygon_signer_address,
};

/** Scripted answers of an offline service. */
export interface OfflineAnswers {
  readonly contractInfo?: unknown;
  readonly positions?: readonly unknown[];
}

/** Build a client with recorded answers and instant waits. The clock advances by each wait, so that timeouts occur. */
export function offlineUser(
  { contractInfo = recordedContracts, positions = [openPosition] }: OfflineAnswers = {},
  options: Partial<LevOptions> = {},
): LevUser {
  let nowMs = Date.parse('2026-11-21T00:00:00Z');
  const lev = new Lev({
    baseUrl: 'http://service.test',
    ...options,
    surroundings: {
      fetch: async (url) =>
        Response.json(String(url).includes('/positions') ? { data: positions, has_more: false } : contractInfo),
      nowMs: () => nowMs,
      monotonicMs: () => nowMs,
      sleep: async (milliseconds) => {
        nowMs += milliseconds;
      },
      WebSocket: undefined,
      ...options.surroundings,
    },
  });
  return lev.asUser('token');
}

/** Transaction that a wallet was asked to send. */
export interface SentCall {
  readonly to: string;
  readonly data: Hex;
  readonly chainId?: string;
}

/** Wallet that records the transactions it is asked to send, on a chain with one open position and no allowance. */
export interface RecordingWallet extends Wallet {
  readonly sent: readonly SentCall[];
  readonly methods: readonly string[];
}

/** Answers by method that replace those of the recording wallet. */
export type WalletAnswers = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;

const uint = (value: bigint): Hex => encodeAbiParameters([{ type: 'uint256' }], [value]);

/** Answer the client's reads of vault and token. */
function readAnswerOf(data: Hex): Hex {
  const { functionName } = decodeFunctionData({ abi: [...vaultAbi, ...erc20Abi], data });
  if (functionName === 'debtOf')
    return encodeFunctionResult({ abi: vaultAbi, functionName, result: [40_000_000n, 17n] });
  if (functionName !== 'positionOf') return uint(0n);
  const { outputs } = vaultAbi.find((item) => 'name' in item && item.name === 'positionOf') as {
    readonly outputs: readonly [{ readonly components: readonly { readonly name: string; readonly type: string }[] }];
  };
  const fields = outputs[0].components.map(({ name, type }) => [
    name,
    type === 'address' ? `0x${'1'.repeat(40)}` : type === 'bool' ? false : name === 'state' ? PositionState.Open : 1,
  ]);
  return encodeFunctionResult({ abi: vaultAbi, functionName, result: Object.fromEntries(fields) as never });
}

/** Build a wallet of the recorded quote's user. */
export function recordingWallet(answers: WalletAnswers = {}): RecordingWallet {
  const calls: SentCall[] = [];
  const methods: string[] = [];
  const usual: WalletAnswers = {
    eth_chainId: () => '0x7a69',
    eth_estimateGas: () => '0x5a3c',
    eth_call: ([call]) => readAnswerOf((call as SentCall).data),
    eth_sendTransaction: ([call]) => {
      calls.push(call as SentCall);
      return `0x${calls.length.toString(16).padStart(64, '0')}`;
    },
    eth_getTransactionReceipt: () => ({ status: '0x1', logs: [] }),
  };
  return {
    account: { address: recordedQuote.authority_public_key },
    sent: calls,
    methods,
    request: async ({ method, params }: { readonly method: string; readonly params: readonly unknown[] }) => {
      methods.push(method);
      const answer = answers[method] ?? usual[method];
      if (answer === undefined) throw Object.assign(new Error(`${method} is not supported`), { code: -32_601 });
      return answer(params);
    },
  };
}
