import type { Page } from 'playwright-core';

const views = [
  { view: 'light', colorScheme: 'light', width: 1_200 },
  { view: 'dark', colorScheme: 'dark', width: 1_200 },
  { view: 'narrow', colorScheme: 'light', width: 390 },
] as const;

/** Take the pictures of docs/console, light, dark and narrow, when `CONSOLE_PICTURES` names that folder. */
export async function takePictures(page: Page, name: string): Promise<void> {
  const folder = process.env['CONSOLE_PICTURES'];
  if (folder === undefined) return;
  await page.mouse.move(0, 0);
  for (const { view, colorScheme, width } of views) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    // A dialog darkens the window, not the page. Otherwise the window is as high as the page, with its bar at the end.
    const hasDialog = (await page.locator('dialog[open]').count()) > 0;
    if (!hasDialog) await page.setViewportSize({ width, height: await heightOf(page) });
    await page.screenshot({ path: `${folder}/${name}-${view}.png` });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1_200, height: 900 });
}

const heightOf = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollHeight);
