import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Call {
  readonly id: number;
  readonly method: string;
}

export interface ForgetfulNode {
  readonly url: string;
  /** While true, every range of logs is answered as empty; everything else is true. */
  isWithholding: boolean;
  /** Ranges that were answered as empty. */
  withheldCount: number;
  close(): Promise<void>;
}

/** A node in front of another one, which can have no logs to give for blocks that it knows. */
export async function startForgetfulNode(rpcUrl: string): Promise<ForgetfulNode> {
  const server = createServer((request, response) => {
    void (async () => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const body = Buffer.concat(pieces).toString();
      const calls = JSON.parse(body) as Call | readonly Call[];
      const headers = { 'content-type': 'application/json' };
      const answer = await (await fetch(rpcUrl, { method: 'POST', headers, body })).json();
      response.writeHead(200, headers).end(JSON.stringify(node.isWithholding ? withoutLogs(calls, answer) : answer));
    })().catch(() => response.destroy());
  });
  const withoutLogs = (asked: Call | readonly Call[], answer: unknown): unknown => {
    const ids = new Set([asked].flat().flatMap(({ id, method }) => (method === 'eth_getLogs' ? [id] : [])));
    node.withheldCount += ids.size;
    const empty = (one: { readonly id: number }) => (ids.has(one.id) ? { ...one, result: [] } : one);
    return Array.isArray(answer) ? answer.map(empty) : empty(answer as { readonly id: number });
  };
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const node: ForgetfulNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isWithholding: false,
    withheldCount: 0,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return node;
}
