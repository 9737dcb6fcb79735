import { defineConfig } from 'vite';

/** A service with its default settings, beside which the console is worked on. */
const API = 'http://127.0.0.1:8088';

export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses: the console does not know under which path a proxy serves it.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsDir: 'console',
    assetsInlineLimit: 0,
    // The licenses of what is bundled ask that their texts go along with it.
    license: { fileName: 'console/licenses.md' },
    target: 'es2023',
    // The polyfill is a script in the page, which the content security policy refuses.
    modulePreload: { polyfill: false },
  },
  server: { host: '127.0.0.1', port: 5188, proxy: { '/v2': API, '/docs': API } },
});
