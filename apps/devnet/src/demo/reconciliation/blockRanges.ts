const blocksPerRead = 5_000n;

/** Yield the blocks up to the last one in ranges that a node answers in one request, both ends included. */
export function* blockRangesTo(lastBlock: bigint): Generator<{ readonly fromBlock: bigint; readonly toBlock: bigint }> {
  for (let fromBlock = 0n; fromBlock <= lastBlock; fromBlock += blocksPerRead) {
    const end = fromBlock + blocksPerRead - 1n;
    yield { fromBlock, toBlock: end < lastBlock ? end : lastBlock };
  }
}
