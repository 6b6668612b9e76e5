import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/** The page's own content policy: everything from this host, and no other host is ever asked. */
export const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // The reader writes its styles into the page.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const settingsPath = '/reference/settings.js';
export const readerPath = '/reference/reader.js';
export const startPath = '/reference/start.js';

export const referencePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<script src="${settingsPath}"></script>
<script src="${readerPath}"></script>
<script src="${startPath}"></script>
</body>
</html>
`;

/** The reader's parser, which looks here as it loads, would try whether it may write code: the policy forbids it. */
export const settingsScript = `globalThis.__zod_globalConfig = { jitless: true };
`;

/** Nothing leaves the page: no fonts, telemetry, assistant or proxy, and no buttons that lead to another host. */
export const startScript = `Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
});
`;

let reader: Buffer | null = null;

/** The reader's bundle, compressed with gzip. Read from its package at the first request, then kept. */
export function readerBundle(): Buffer {
  if (reader === null) {
    const entry = createRequire(import.meta.url).resolve('@scalar/api-reference');
    reader = gzipSync(readFileSync(path.join(path.dirname(entry), 'browser/standalone.js')));
  }
  return reader;
}
