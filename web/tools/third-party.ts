import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

interface Library {
  name: string;
  version: string;
  license: string;
  text: string;
}

/** The package a bundled module belongs to: the nearest folder above it whose package.json has a name and a version. */
function libraryOf(module: string): Library | undefined {
  for (let folder = dirname(module); folder.includes("node_modules"); folder = dirname(folder)) {
    const file = join(folder, "package.json");
    if (!existsSync(file)) continue;
    const { name, version, license } = JSON.parse(readFileSync(file, "utf8")) as Partial<Library>;
    if (!name || !version) continue;
    const licence = readdirSync(folder).sort().find((entry) => /^licen[cs]e/i.test(entry));
    if (!licence) throw new Error(`${name} ${version} comes without a licence text`);
    return { name, version, license: license ?? "", text: readFileSync(join(folder, licence), "utf8").trim() };
  }
  return undefined;
}

/** Writes THIRD_PARTY.txt beside the bundle: each library whose code is in it, with its version and its licence. */
export function thirdParty(): Plugin {
  return {
    name: "third-party",
    apply: "build",
    generateBundle(_options, bundle) {
      const libraries = new Map<string, Library>();
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        for (const [module, { renderedLength }] of Object.entries(chunk.modules)) {
          const library = renderedLength > 0 ? libraryOf(module.replace(/^\0/, "").replace(/\?.*$/, "")) : undefined;
          if (library) libraries.set(`${library.name} ${library.version}`, library);
        }
      }
      const parts = [...libraries.entries()]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([title, { license, text }]) => `${title} (${license})\n${"-".repeat(72)}\n${text}\n`);
      const head = "The page contains code of these libraries.\n";
      this.emitFile({ type: "asset", fileName: "THIRD_PARTY.txt", source: [head, ...parts].join("\n") });
    },
  };
}
