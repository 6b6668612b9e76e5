import type { Page } from 'playwright-core';

const views = [
  { view: 'light', colorScheme: 'light', width: 1_200 },
  { view: 'dark', colorScheme: 'dark', width: 1_200 },
  { view: 'narrow', colorScheme: 'light', width: 390 },
] as const;

/** Pictures for docs/console, where `CONSOLE_PICTURES` names that folder: light, dark and narrow. */
export async function takePictures(page: Page, name: string): Promise<void> {
  const folder = process.env['CONSOLE_PICTURES'];
  if (folder === undefined) return;
  for (const { view, colorScheme, width } of views) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${folder}/${name}-${view}.png`, fullPage: true });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1_200, height: 900 });
}
