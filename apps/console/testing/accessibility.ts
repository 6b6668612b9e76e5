import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Rules of accessibility that a page breaks as it is shown now, in light and in dark; each with its elements. */
export async function accessibilityOffences(page: Page): Promise<readonly string[]> {
  const offences: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    // Given to the browser itself: the page's content policy lets no foreign script in.
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
    for (const { id, nodes } of violations) {
      offences.push(`${colorScheme}: ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
    }
  }
  return offences;
}
