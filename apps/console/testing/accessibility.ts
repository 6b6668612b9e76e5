import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Return the accessibility rules that a page violates in light and in dark, each with its elements. */
export async function accessibilityOffences(page: Page): Promise<readonly string[]> {
  const offences: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    // Injected by the browser: the content security policy of the page blocks foreign scripts.
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
    for (const { id, nodes } of violations) {
      offences.push(`${colorScheme}: ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
    }
  }
  return offences;
}
