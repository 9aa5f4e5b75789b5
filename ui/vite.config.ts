import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** An LRS on this machine, which answers the calls of the screen while it is worked on (`npm run ui`). */
const lrs = 'http://127.0.0.1:8080';

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that the screen works under whatever path a proxy or gateway puts before it.
  base: './',
  plugins: [react()],
  // The server puts another one in its place each time it sends the page.
  html: { cspNonce: '%NONCE%' },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // Every asset is a file: the Content-Security-Policy has no inline sources.
    assetsInlineLimit: 0,
    // The polyfill would be an inline script, and every browser that runs the screen knows modules.
    modulePreload: { polyfill: false },
    target: 'es2022',
    // In kB: what the page begins with has 520, which are 140 as they are sent.
    chunkSizeWarningLimit: 600,
    // A few files, not dozens of small ones: what the page begins with, and what several screens share.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 2 },
            // Messages of what is done: nobody is told so before he has signed in.
            {
              name: 'notices',
              test: /notifications|react-transition-group|components.done/,
              priority: 2,
              includeDependenciesRecursively: false,
            },
            { name: 'parts', minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/admin': lrs, '/xapi': lrs, '/health': lrs } },
});
