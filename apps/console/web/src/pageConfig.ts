import type { PageConfig } from '../../src/pageConfig.ts';

export type { NamedAccount, PageConfig } from '../../src/pageConfig.ts';

/** What stands beside the page; null where nothing does, as on a host of the exit page alone. */
export async function readPageConfig(): Promise<PageConfig | null> {
  const response = await fetch('./config.json').catch(() => null);
  return response?.ok === true ? ((await response.json()) as PageConfig) : null;
}
