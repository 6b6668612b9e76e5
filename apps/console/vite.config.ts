import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const web = (file: string): string => fileURLToPath(new URL(`web/${file}`, import.meta.url));

/** Two pages of static files: the console, and the exit page, which shares no module that needs the service. */
export default defineConfig({
  root: web(''),
  // Relative, so that the files work under any path of any web server.
  base: './',
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { index: web('index.html'), exit: web('exit.html') } },
  },
});
