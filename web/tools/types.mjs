// Writes src/openapi.d.ts from the OpenAPI description of the server, so that the two sides cannot drift apart.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import openapi, { astToString } from "openapi-typescript";

const python = process.env["PYTHON"] ?? "../.venv/bin/python";
const dump = "import json; from renege.server.http.app import create_app; from renege.server.http.settings import Settings; print(json.dumps(create_app(Settings()).openapi()))";
const described = JSON.parse(execFileSync(python, ["-c", dump], { encoding: "utf8", maxBuffer: 1 << 26 }));
const types = astToString(await openapi(described, { alphabetize: true }));
writeFileSync("src/openapi.d.ts", `// Made by \`npm run types\` from the server's OpenAPI; not edited by hand.\n${types}`);
