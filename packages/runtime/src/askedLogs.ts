import { z } from 'zod';

const position = z.union([z.null(), z.string(), z.array(z.string())]);

/** Filter of `eth_getLogs`, as far as its logs can be compared with it: named blocks bound nothing. */
const logFilter = z.looseObject({
  fromBlock: z.string().optional(),
  toBlock: z.string().optional(),
  blockHash: z.string().optional(),
  address: z.union([z.string(), z.array(z.string())]).optional(),
  topics: z.array(position).optional(),
});

/** Fields of a log that a filter selects by. */
interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly blockNumber: string;
  readonly blockHash: string;
}

/** False where a log is none that the filter selects: of another block, contract or event. */
export function areAskedLogs(filter: unknown, logs: readonly Log[]): boolean {
  const { success, data } = logFilter.safeParse(filter);
  if (!success) return true;
  const { fromBlock, toBlock, blockHash, address, topics = [] } = data;
  return logs.every(
    (log) =>
      (numberOf(fromBlock) ?? 0n) <= BigInt(log.blockNumber) &&
      BigInt(log.blockNumber) <= (numberOf(toBlock) ?? BigInt(log.blockNumber)) &&
      isSelected(blockHash, log.blockHash) &&
      isSelected(address, log.address) &&
      topics.every((topic, index) => isSelected(topic, log.topics[index])),
  );
}

const numberOf = (block: string | undefined): bigint | null => (block?.startsWith('0x') ? BigInt(block) : null);

/** True for a value among those that are selected, in any case of letters; all are where none is named. */
function isSelected(selected: string | readonly string[] | null | undefined, value: string | undefined): boolean {
  const values = typeof selected === 'string' ? [selected] : (selected ?? []);
  return values.length === 0 || values.some((one) => one.toLowerCase() === value?.toLowerCase());
}
