import { launchBrowser } from '@core/testkit/browser';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/**
 * Measure the pages of a running stack: `pnpm --filter @core/console measure http://127.0.0.1:8060`. It prints the
 * largest contentful paint and the layout shift of each page in a new browser context. The third figure is the share of
 * a core that the processes of pages use without any input.
 */
const [consoleUrl = 'http://127.0.0.1:8060'] = process.argv.slice(2);
const account = 'alice';
const settleMs = 5_000;
const idleMs = 10_000;
const widths = [1_200, 390] as const;

interface PageVitals {
  lcpMs: number;
  shift: number;
}

/** Record paints and shifts; runs in the page before its scripts. */
function recordVitals(): void {
  const vitals: PageVitals = { lcpMs: 0, shift: 0 };
  Object.assign(globalThis, { vitals });
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) vitals.lcpMs = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) vitals.shift += Number(Reflect.get(entry, 'value'));
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Return the processor time of the processes that render pages. */
async function rendererSeconds(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter(({ type }) => type === 'renderer').reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

async function measure(browser: Browser, context: BrowserContext, path: string): Promise<string> {
  const page = await context.newPage();
  await page.addInitScript(recordVitals);
  await page.goto(`${consoleUrl}/#${path}`);
  await page.waitForTimeout(settleMs);
  const { lcpMs, shift } = await page.evaluate(() => Reflect.get(globalThis, 'vitals') as PageVitals);
  const before = await rendererSeconds(browser);
  await page.waitForTimeout(idleMs);
  const idleShare = (await rendererSeconds(browser)) - before;
  await page.close();
  return [`${(lcpMs / 1_000).toFixed(2)} s`, shift.toFixed(3), `${((idleShare * 100_000) / idleMs).toFixed(1)} %`].join(
    ' | ',
  );
}

/** Sign in with a named account and return the paths of its pages. */
async function pathsOf(page: Page): Promise<readonly string[]> {
  await page.goto(consoleUrl);
  await page.getByText('Sign in', { exact: true }).click();
  await page.getByRole('button', { name: account }).click();
  const market = await page.locator('tbody tr a').first().getAttribute('href');
  await page.goto(`${consoleUrl}/#/portfolio`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForTimeout(settleMs);
  const position = await page
    .locator('a[href*="#/positions/"]')
    .first()
    .getAttribute('href', { timeout: 1_000 })
    .catch(() => null);
  const paths = [market, position].flatMap((href) => href?.split('#')[1] ?? []);
  return ['/', ...paths, '/portfolio', '/pool', '/risk', '/operate'];
}

const browser = await launchBrowser();
const signedIn = await browser.newContext({ locale: 'en-US' });
const page = await signedIn.newPage();
const paths = await pathsOf(page);
await page.close();
const storageState = await signedIn.storageState();
await signedIn.close();
process.stdout.write('| page | width | LCP | layout shift | idle |\n|---|---|---|---|---|\n');
for (const width of widths) {
  for (const path of paths) {
    const context = await browser.newContext({ locale: 'en-US', storageState, viewport: { width, height: 900 } });
    process.stdout.write(`| ${path} | ${width} | ${await measure(browser, context, path)} |\n`);
    await context.close();
  }
}
await browser.close();
