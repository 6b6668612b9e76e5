import type { Page } from 'playwright-core';
import { onTestFailed } from 'vitest';

/** Print the content of a page when a test fails; for `beforeEach`. */
export function reportFailure(page: Page): void {
  onTestFailed(async () => {
    const text = await page.locator('body').innerText();
    process.stderr.write(`\n── the page ${page.url()} showed:\n${text}\n`);
  });
}
