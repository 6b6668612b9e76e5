import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

/** Host of a page that a browser trusts without HTTPS, and of one that it does not; both are this machine. */
export const pageHosts = { trusted: '127.0.0.1', plain: 'partner.test' } as const;

const longestWaitMs = 20_000;

/**
 * Serve files on loopback and load a page with modules into a real Chromium.
 *
 * @param files JavaScript by path; it answers every method.
 * @param modules Paths of the modules that the page starts.
 * @param host Host in the address of the page.
 * @returns Log of the page after its first entry, errors included.
 */
export async function runInBrowser(
  files: Readonly<Record<string, string>>,
  modules: readonly string[],
  host: (typeof pageHosts)[keyof typeof pageHosts] = pageHosts.trusted,
): Promise<readonly string[]> {
  const scripts = modules.map((path) => `<script type="module" src="${path}"></script>`).join('');
  const page = `<!doctype html><link rel="icon" href="data:,"><title>packages</title>${scripts}`;
  const server = createServer((request, response) => {
    const script = files[request.url ?? ''];
    response.setHeader(
      'content-type',
      script === undefined ? 'text/html; charset=utf-8' : 'text/javascript; charset=utf-8',
    );
    response.end(script ?? page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = Number(Object(server.address()).port);
  try {
    return await withChromium(async (executablePath) => {
      const browser = await chromium.launch({
        executablePath,
        args: ['--no-sandbox', `--host-resolver-rules=MAP ${pageHosts.plain} 127.0.0.1`],
      });
      try {
        const tab = await browser.newPage();
        const logged: string[] = [];
        tab.on('console', (message) => logged.push(message.text()));
        tab.on('pageerror', (error) => logged.push(String(error)));
        await tab.goto(`http://${host}:${port}/`, { waitUntil: 'load' });
        // A module may await an answer after the page has loaded.
        if (logged.length === 0) await tab.waitForEvent('console', { timeout: longestWaitMs });
        return logged;
      } finally {
        await browser.close();
      }
    });
  } finally {
    server.close();
  }
}

/** Unpack the browser into a folder of its own while it is used; it reads TMPDIR on import. */
async function withChromium<Result>(use: (executablePath: string) => Promise<Result>): Promise<Result> {
  const outer = process.env['TMPDIR'];
  const folder = mkdtempSync(join(tmpdir(), 'chromium-'));
  process.env['TMPDIR'] = folder;
  // Names the system libraries to unpack where they are missing.
  process.env['AWS_LAMBDA_JS_RUNTIME'] ??= 'nodejs24.x';
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    return await use(await packed.executablePath());
  } finally {
    if (outer === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = outer;
    rmSync(folder, { recursive: true, force: true });
  }
}
