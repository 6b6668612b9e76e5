import type { Page } from 'playwright-core';
import { onTestFailed } from 'vitest';

/** Says what a page showed when a test failed; for `beforeEach`. */
export function reportFailure(page: Page): void {
  onTestFailed(async () => {
    const text = await page.locator('body').innerText();
    process.stderr.write(`\n── the page ${page.url()} showed:\n${text}\n`);
  });
}
