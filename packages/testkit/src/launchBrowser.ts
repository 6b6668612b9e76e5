import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const systemFonts = '/etc/fonts';
const systemLibraries = ['/usr/lib/x86_64-linux-gnu/libnss3.so', '/usr/lib64/libnss3.so', '/usr/lib/libnss3.so'];

/**
 * Launch a real Chromium from an npm package, without further downloads. It unpacks into the folder for temporary files
 * and would reuse a binary of another version there, so each version has its own folder.
 */
export async function launchBrowser(): Promise<Browser> {
  const folder = path.join(tmpdir(), `chromium-${packagedVersion()}`);
  mkdirSync(folder, { recursive: true });
  process.env['TMPDIR'] = folder;
  // Makes the package unpack the libraries that a bare machine lacks.
  if (!systemLibraries.some((file) => existsSync(file))) process.env['AWS_LAMBDA_JS_RUNTIME'] = 'nodejs24.x';
  const { default: packaged } = await import('@sparticuz/chromium');
  const executablePath = await packaged.executablePath();
  // Chromium crashes on the first text field with only the fonts of the package.
  if (existsSync(systemFonts)) process.env['FONTCONFIG_PATH'] = systemFonts;
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

function packagedVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const manifest = entry.replace(/build\/.*$/, 'package.json');
  return String(JSON.parse(readFileSync(manifest, 'utf8')).version);
}
