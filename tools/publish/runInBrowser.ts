import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

/**
 * Serves files on loopback and loads a page with some of them as modules into a real Chromium.
 *
 * @param files Path → JavaScript.
 * @param modules Paths of the modules that the page starts.
 * @returns What the page logged, when it has loaded; an error of the page is among it.
 */
export async function runInBrowser(
  files: Readonly<Record<string, string>>,
  modules: readonly string[],
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
  const { port } = server.address() as AddressInfo;
  try {
    return await withChromium(async (executablePath) => {
      const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
      try {
        const tab = await browser.newPage();
        const logged: string[] = [];
        tab.on('console', (message) => logged.push(message.text()));
        tab.on('pageerror', (error) => logged.push(String(error)));
        await tab.goto(`http://127.0.0.1:${port}/`, { waitUntil: 'load' });
        return logged;
      } finally {
        await browser.close();
      }
    });
  } finally {
    server.close();
  }
}

/** Unpacks the browser into a folder of its own for as long as it is used: it takes the place from TMPDIR on import. */
async function withChromium<Result>(use: (executablePath: string) => Promise<Result>): Promise<Result> {
  const outer = process.env['TMPDIR'];
  const folder = mkdtempSync(join(tmpdir(), 'chromium-'));
  process.env['TMPDIR'] = folder;
  // Says which system libraries to unpack where they are missing.
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
