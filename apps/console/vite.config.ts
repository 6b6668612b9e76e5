import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, normalizePath, type Plugin } from 'vite';

const web = (file: string): string => fileURLToPath(new URL(`web/${file}`, import.meta.url));

interface Page {
  /** Name of the HTML file. */
  readonly name: string;
  /** Module that the page loads. */
  readonly script: string;
}

const consolePage: Page = { name: 'index', script: web('src/main.tsx') };
/** Page that imports no module that needs the service. */
const exitPage: Page = { name: 'exit', script: web('src/exit/main.tsx') };

/** Modules that are loaded before a transaction. They are in one file, which a page loads before it offers one. */
const isForTransactions = (id: string): boolean =>
  [
    /\/chain\/(?:sdkWallet|localSigner|claims|carryOut|vaultCalls|ownWrites)\.ts$/,
    /\/(?:quotes\/(?:checkQuote|preflight)|positions\/followPosition)\.ts$/,
    /\/(?:curves\/(?:esm\/)?secp256k1|viem\/_esm\/utils\/ccip)\.js$/,
  ].some((pattern) => pattern.test(normalizePath(id)));

/** Guide for providers as a text beside the pages, to which the pool page links. */
const providerGuide: Plugin = {
  name: 'provider-guide',
  generateBundle() {
    const source = readFileSync(new URL('../../docs/liquidity.md', import.meta.url));
    this.emitFile({ type: 'asset', fileName: 'liquidity.txt', source });
  },
};

/** Build of one static page: the exit page in the mode `exit`, otherwise the console. The exit page is built first. */
export default defineConfig(({ mode }) => {
  const page = mode === 'exit' ? exitPage : consolePage;
  return {
    root: web(''),
    // Relative, so that the files work under any path of any web server.
    base: './',
    plugins: page === consolePage ? [providerGuide] : [],
    build: {
      outDir: '../dist',
      // Open tabs load the files of earlier builds.
      emptyOutDir: false,
      target: 'es2023',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: { [page.name]: web(`${page.name}.html`) },
        // One chunk for the script and all that it imports at once: it compresses better than many.
        output: {
          codeSplitting: {
            groups: [
              { name: page.name, test: (id) => id === normalizePath(page.script), priority: 1 },
              ...(page === consolePage ? [{ name: 'transactions', test: isForTransactions }] : []),
            ],
          },
        },
      },
    },
  };
});
