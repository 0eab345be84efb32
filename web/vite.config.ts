import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { thirdParty } from "./tools/third-party.ts";

const server = process.env["RENEGE_SERVER"] ?? "http://127.0.0.1:8042";

// The build is committed, so its names carry no hash and its bytes depend on the sources alone.
export default defineConfig({
  plugins: [svelte(), thirdParty()],
  build: {
    outDir: "../src/renege/server/static",
    emptyOutDir: true,
    target: "es2022",
    cssTarget: ["chrome123", "firefox121", "safari17.5"],
    sourcemap: false,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        entryFileNames: "assets/app.js",
        chunkFileNames: "assets/[name].js",
        assetFileNames: "assets/app[extname]",
      },
    },
  },
  server: {
    fs: { allow: [".."] },
    proxy: { "/api": { target: server, ws: true, changeOrigin: true }, "/docs": server },
  },
  test: { include: ["tests/**/*.test.ts"], environment: "node", setupFiles: ["tests/looks.ts"] },
});
