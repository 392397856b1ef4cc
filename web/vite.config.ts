import { readdirSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type UserConfig } from "vite";

/** Where `npm run dev` finds a running server; `LOOPBACK_URL` names another. */
const server = process.env["LOOPBACK_URL"] ?? "http://127.0.0.1:8787";

// The server checks that Origin is its own, so the proxy speaks in the server's name.
const toServer = { target: server, changeOrigin: true, ws: true, headers: { origin: server } };

/** The inbox, into the folder the server serves. */
const inbox: UserConfig = {
  // Relative, because a public address may hold a path: the server puts it before `./` in index.html,
  // which it serves at every depth; chunks find one another by their own address.
  base: "./",
  build: {
    outDir: "../app/static",
    emptyOutDir: true,
    target: ["chrome123", "firefox128", "safari17.5"],
    // The page's policy knows no `data:` addresses, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    proxy: {
      "/api": toServer,
      "/mcp": toServer,
      "/inbox/api": toServer,
    },
  },
};

/** The tests, one file each, for `node --test`. */
const tests: UserConfig = {
  build: {
    ssr: true,
    outDir: ".test",
    emptyOutDir: true,
    rolldownOptions: {
      input: Object.fromEntries(testFiles().map((file) => [file.replace(/\.tsx?$/, "").replaceAll("/", "."), `test/${file}`])),
    },
  },
};

export default defineConfig(({ mode }) => ({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  ...(mode === "test" ? tests : inbox),
}));

function testFiles(): string[] {
  const files = readdirSync(join(import.meta.dirname, "test"), { recursive: true, encoding: "utf8" });
  return files.map((file) => file.replaceAll("\\", "/")).filter((file) => /\.test\.tsx?$/.test(file)).sort();
}
