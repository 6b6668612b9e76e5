import type { PageConfig } from '../../src/pageConfig.ts';

export type { NamedAccount, PageConfig } from '../../src/pageConfig.ts';

/** Read the configuration beside the page; null where there is none, as on a static host of the exit page. */
export async function readPageConfig(): Promise<PageConfig | null> {
  const response = await fetch('./config.json').catch(() => null);
  return response?.ok === true ? ((await response.json()) as PageConfig) : null;
}
