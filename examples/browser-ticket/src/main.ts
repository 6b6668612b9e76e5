import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Lev } from '@core/sdk';
import { build } from 'esbuild';
import { WalletProof } from './walletProof.ts';

interface StackFile {
  readonly apiUrl: string;
  readonly rpcUrl: string;
  readonly partner: { readonly apiKey: string };
}

const usualPort = 8_070;
const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url));
const web = fileURLToPath(new URL('../web/', import.meta.url));

const folder = process.env['LEV_STATE_DIR'] ?? path.join(repositoryRoot, '.lev');
const stackFile: StackFile = JSON.parse(readFileSync(path.join(folder, 'stack.json'), 'utf8'));
const { apiUrl, rpcUrl, partner } = stackFile;
const lev = new Lev({ baseUrl: apiUrl, apiKey: partner.apiKey });
const proof = new WalletProof();
const bundle = await build({
  entryPoints: [path.join(web, 'page.ts')],
  bundle: true,
  write: false,
  minify: true,
  format: 'esm',
  target: 'es2022',
});

/** Static files by path. None of them contains the partner's key. */
const files: Readonly<Record<string, readonly [type: string, content: string]>> = {
  '/': ['text/html', readFileSync(path.join(web, 'index.html'), 'utf8')],
  '/page.js': ['text/javascript', bundle.outputFiles[0]?.text ?? ''],
  '/config.json': ['application/json', JSON.stringify({ apiUrl, rpcUrl })],
};

/**
 * Answer a request of the page.
 *
 * @returns The answer as JSON data, or null when the request is refused.
 */
async function answerTo(route: string, question: Readonly<Record<string, unknown>>): Promise<object | null> {
  const [address, signature] = [String(question['address']), String(question['signature'])];
  if (route === '/challenge') return { message: proof.challenge(address) };
  if (route !== '/token' || !(await proof.proves(address, signature))) return null;
  return lev.tokens.create({ wallet_address: address });
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const route = request.url ?? '/';
  const file = files[route];
  if (request.method === 'GET') {
    const [type, content] = file ?? ['text/plain', 'There is no such file.'];
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` }).end(content);
    return;
  }
  const answer = await answerTo(route, Object(await json(request)));
  if (answer === null) response.writeHead(401).end('The signature is not of this wallet.');
  else response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
}

const server = createServer((request, response) => {
  serve(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
});
server.listen(Number(process.env['PORT'] ?? usualPort), '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`http://127.0.0.1:${Object(server.address()).port}\n`);
