/** Nodes that answer several calls in one request. A node that a user enters may refuse such requests. */
const nodes = new Set<string>();

/** Send the calls of one moment to a node in one request. */
export const batchCallsTo = (rpcUrl: string): void => void nodes.add(rpcUrl);

export const isBatching = (rpcUrl: string): boolean => nodes.has(rpcUrl);
