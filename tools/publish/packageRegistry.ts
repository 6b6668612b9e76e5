import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

const publication = z.object({ name: z.string(), versions: z.record(z.string(), z.unknown()) });

/** Registry of packages on loopback: it has none, and accepts every publication. */
export class PackageRegistry {
  readonly #server: Server;
  /** Published names with their version, in the order of arrival. */
  readonly published: string[] = [];

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#answer(request, response);
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'PUT') {
      const { name, versions } = publication.parse(await json(request));
      this.published.push(...Object.keys(versions).map((version) => `${name}@${version}`));
    }
    response.writeHead(request.method === 'PUT' ? 201 : 404).end('{}');
  }

  static async start(): Promise<PackageRegistry> {
    const registry = new PackageRegistry();
    registry.#server.listen(0, '127.0.0.1');
    await once(registry.#server, 'listening');
    return registry;
  }

  /** Host and port. */
  get host(): string {
    return `127.0.0.1:${Object(this.#server.address()).port}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
