import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '@core/runtime';
import { currentProgram, type Program } from '../../runtime/program.ts';
import type { Scheduler } from '../../runtime/scheduler.ts';
import type { VirtualNetwork } from '../../runtime/virtualNetwork.ts';
import { RpcRefusal, rpcFaultOf } from './rpcFault.ts';
import { type ReadCall, type RpcRequest, readRequest } from './rpcRequest.ts';
import { type CallOutcome, fullView, type NodeView, type OnCalls, type RpcCall } from './settings.ts';
import { horizonOf, viewedCallOf, viewedResultOf } from './viewedCall.ts';

const invalidRequest = -32_600;

/** Parts of its chain that a node needs. */
export interface NodeChain {
  readonly scheduler: Scheduler;
  readonly network: VirtualNetwork;
  readonly headNumber: () => number;
  /** Perform a call at the head of the chain. */
  readonly perform: (method: string, params: readonly unknown[]) => Promise<unknown>;
}

/** Settings of a node. */
export interface NodeOptions {
  /** A free port by default; a node that starts again takes its old one. */
  readonly port?: number;
  readonly view?: Partial<NodeView>;
}

/** A node of a chain, which answers JSON-RPC as one program. Each request is one outside operation. */
export class ChainNode {
  /** View and limits; they may change at any time. */
  view: NodeView;
  /** Faults of the node's answers. */
  onCalls: OnCalls = () => 'answer';
  readonly #chain: NodeChain;
  readonly #program: Program | undefined = currentProgram();
  readonly #server: Server;
  #listening: Awaited<ReturnType<typeof listen>> | null = null;

  private constructor(chain: NodeChain, view: NodeView) {
    this.#chain = chain;
    this.view = view;
    this.#server = createServer((request, response) => void this.#receive(request, response));
  }

  /** Start a node as the program whose code runs now. */
  static async open(chain: NodeChain, { port = 0, view = {} }: NodeOptions): Promise<ChainNode> {
    const node = new ChainNode(chain, { ...fullView, ...view });
    node.#listening = await listen(node.#server, { port });
    return node;
  }

  /** Origin of the node's port. */
  get rpcUrl(): string {
    if (this.#listening === null) throw new Error('the node has no port yet');
    return this.#listening.url;
  }

  async close(): Promise<void> {
    await this.#listening?.close();
  }

  async #receive(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const from = this.#chain.network.peerOf(message.socket);
    // A client that dies in the middle of its request asks nothing.
    const body = await text(message).catch(() => null);
    if (body === null) return;
    const request = readRequest(body);
    this.#chain.scheduler.outside('rpc', () => this.#answer(request, from, response));
  }

  async #answer(request: RpcRequest, from: string, response: ServerResponse): Promise<void> {
    const calls = request.calls.filter((call): call is RpcCall => !(call instanceof RpcRefusal));
    const outcome = calls.length === 0 ? 'answer' : this.onCalls(calls, from);
    if (typeof outcome === 'object' && 'status' in outcome) {
      response.writeHead(outcome.status).end();
      return;
    }
    const body = JSON.stringify(await this.#bodyOf(request, outcome));
    const send = (): void => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    };
    if (outcome === 'lose') response.destroy();
    else if (typeof outcome === 'string' || 'error' in outcome) send();
    else if (Number.isFinite(outcome.delayMs)) this.#chain.scheduler.at(outcome.delayMs, send, this.#program);
  }

  async #bodyOf({ isBatch, calls }: RpcRequest, outcome: CallOutcome): Promise<unknown> {
    const { maxBatchCalls } = this.view;
    if (maxBatchCalls !== null && calls.length > maxBatchCalls) {
      return [refusalOf(calls[0], new RpcRefusal({ code: invalidRequest, message: 'batch too large' }))];
    }
    const answers: object[] = [];
    for (const call of calls) {
      if (call instanceof RpcRefusal) answers.push(refusalOf(call, call));
      else if (typeof outcome === 'object' && 'error' in outcome)
        answers.push(answerOf(call, { error: outcome.error }));
      else answers.push(await this.#call(call));
    }
    return isBatch ? answers : answers[0];
  }

  async #call(call: RpcCall): Promise<object> {
    const { scheduler, headNumber, perform } = this.#chain;
    const { method } = call;
    scheduler.count(`rpc ${method}`);
    const { view } = this;
    const horizon = horizonOf(view, headNumber());
    try {
      const viewed = viewedCallOf(call, view, horizon);
      const result = 'result' in viewed ? viewed.result : await perform(method, viewed.params);
      return answerOf(call, { result: viewedResultOf(method, result, { view, horizon }) });
    } catch (error) {
      return refusalOf(call, error);
    }
  }
}

const answerOf = ({ id }: Pick<RpcCall, 'id'>, answer: object): object => ({ jsonrpc: '2.0', id, ...answer });

const refusalOf = (call: ReadCall | undefined, error: unknown): object => ({
  jsonrpc: '2.0',
  id: call === undefined || call instanceof RpcRefusal ? null : call.id,
  error: rpcFaultOf(error),
});
