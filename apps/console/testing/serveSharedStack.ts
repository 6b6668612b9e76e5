import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { type LaunchedStack, launchStack } from './startStack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address that responds with the place of the shared stack as soon as it runs. */
    readonly sharedStackUrl: string;
  }
}

/** Serve one stack to all files of a run. The first request starts it, and the end of the run stops it. */
export default async function serveSharedStack(project: TestProject): Promise<() => Promise<void>> {
  let stack: LaunchedStack | null = null;
  const respond = async (response: ServerResponse): Promise<void> => {
    stack ??= launchStack();
    try {
      response.end(JSON.stringify(await stack.ready));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  };
  const server = createServer((_request, response) => void respond(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  project.provide('sharedStackUrl', `http://127.0.0.1:${port}`);
  return async () => {
    server.closeAllConnections();
    server.close();
    await stack?.stop();
  };
}
