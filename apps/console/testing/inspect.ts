import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessibilityOffences } from './accessibility.ts';
import { takePictures } from './pictures.ts';

/** Check the accessibility of a page and take its pictures. */
export async function inspect(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect({ name, offences: await accessibilityOffences(page) }).toEqual({ name, offences: [] });
  await takePictures(page, name);
}
