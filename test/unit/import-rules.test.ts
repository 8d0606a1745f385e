// Lint rules enforce which folders may import which (docs/architecture.md). Each rule is broken here in a copy of the
// configuration, so that a rule that stopped working fails a test. All samples share one lint run, since starting it takes longest.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';

const projectRoot = join(import.meta.dirname, '..', '..');

interface Sample {
  /** Relative to the project root; every sample gets its own name. */
  file: string;
  line: string;
  /** The rule that must report the line; undefined if the line is allowed. */
  rule: string | undefined;
}

const samples: Sample[] = [];
function boundary(
  folder: string,
  allowed: string[],
  refused: string[],
  rule = 'no-restricted-imports',
): void {
  const add = (line: string, expected: string | undefined) =>
    samples.push({ file: `${folder}/sample-${samples.length}.ts`, line, rule: expected });
  for (const line of allowed) add(line, undefined);
  for (const line of refused) add(line, rule);
}

const electron = `import { app } from 'electron';\napp.quit();`;
const koa = `import Koa from 'koa';\nnew Koa().listen();`;
const router = `import Router from '@koa/router';\nnew Router().routes();`;
const lazy = (from: string) => `export async function load(): Promise<unknown> { return import('${from}'); }`;
const typeOf = (from: string) => `import type { Thing } from '${from}';\nexport type Mine = Thing;`;
const reExport = (from: string) => `export { thing } from '${from}';`;

/** From the lowest; docs/architecture.md. */
const layers = [
  ['contract'],
  ['log', 'network', 'templates'],
  ['store'],
  ['files', 'time'],
  ['secrets', 'settings', 'accounts'],
  ['wopi'],
  ['tls', 'editors', 'containers'],
  ['host', 'server', 'documents', 'text-editor'],
  ['commands', 'live-state', 'doctor'],
  ['control', 'dashboard', 'terminal', 'desktop'],
];
const services = layers.slice(0, 7).flat();
const outside = typeOf('../../renderer/window/app.ts');

test('every folder of app is in a layer', () => {
  const folders = readdirSync(join(projectRoot, 'app'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  assert.deepEqual(
    folders.map(({ name }) => name),
    layers.flat().toSorted(),
  );
});

for (const [number, layer] of layers.entries()) {
  for (const folder of layer.filter((name) => name !== 'contract')) {
    const imports = (names: string[]) => names.map((name) => typeOf(`../${name}/thing.ts`));
    boundary(
      `app/${folder}`,
      imports([...layers.slice(0, number).flat(), ...layer.filter((name) => name !== 'desktop')]),
      [
        ...imports(layers.slice(number + 1).flat()),
        ...(folder === 'desktop' ? [] : [electron, lazy('electron'), typeOf('../desktop/window.ts')]),
        ...(services.includes(folder) ? [koa, router, lazy('koa'), typeOf('koa')] : []),
        outside,
      ],
    );
  }
}
boundary(
  'app/wopi/operations',
  [typeOf('../../contract/errors.ts')],
  [reExport('../../server/create-app.ts'), typeOf('./../../server/create-app.ts')],
);
boundary('app/desktop', [electron], []);
boundary(
  'app',
  [typeOf('./server/listen.ts')],
  [electron, typeOf('./desktop/window.ts'), typeOf('./main.ts'), lazy('./desktop/window.ts')],
);
samples.push({ file: 'app/main.ts', line: electron, rule: undefined });
samples.push({ file: 'app/languages.ts', line: typeOf('./host/host.ts'), rule: 'no-restricted-imports' });
samples.push({ file: 'app/project-root.ts', line: typeOf('./contract/errors.ts'), rule: undefined });
boundary(
  'app/contract',
  [typeOf('./errors.ts'), typeOf('zod')],
  [
    electron,
    koa,
    typeOf('../files/document-index.ts'),
    typeOf('../../renderer/window/app.ts'),
    typeOf('node:fs'),
    lazy('node:fs'),
  ],
);
boundary('app/contract', [], [typeOf('fs')], 'no-nodejs-modules');
boundary(
  'app/contract',
  [],
  [`export const size = Buffer.byteLength('x');`, `export const title = document.title;`],
  'no-restricted-globals',
);
boundary(
  'renderer/window/documents',
  [typeOf('../../../app/contract/errors.ts'), typeOf('react'), typeOf('../parts/table.ts')],
  [
    electron,
    koa,
    typeOf('../../../app/files/document-index.ts'),
    typeOf('../../../app/host/host.ts'),
    lazy('../../../app/wopi/lock-rules.ts'),
    typeOf('node:fs'),
  ],
);
boundary('renderer/text-editor', [typeOf('../kit/button.tsx')], [typeOf('../window/parts/action.tsx')]);
boundary('renderer/window/documents', [], [`export const pid = process.pid;`], 'no-restricted-globals');
boundary(
  'renderer/host-page',
  [
    typeOf('./messages.ts'),
    typeOf('../kit/button.tsx'),
    typeOf('react'),
    reExport('./words.ts'),
    typeOf('../../app/contract/editors.ts'),
    `import '@fontsource-variable/inter/wght.css';`,
  ],
  [
    koa,
    typeOf('@fontsource/inter'),
    typeOf('@foxglove/client'),
    typeOf('node:fs'),
    typeOf('../../app/server/create-app.ts'),
    typeOf('../../app/commands/commands.ts'),
    typeOf('../window/parts/action.tsx'),
    typeOf('../text-editor/words.ts'),
  ],
);
boundary(
  'renderer/kit',
  [typeOf('./button.tsx'), typeOf('react-aria-components'), typeOf('../../app/contract/editors.ts')],
  [koa, typeOf('ws'), typeOf('../window/parts/action.tsx'), typeOf('../host-page/words.ts')],
);
// This folder has no rules, so everything is allowed: the linter doesn’t report every sample.
boundary('test/unit', [electron, koa, typeOf('../../app/server/create-app.ts')], []);

interface Report {
  diagnostics: { code: string; filename: string }[];
}

// an import cycle of types only
samples.push(
  { file: 'app/wopi/circle/one.ts', line: typeOf('./other.ts'), rule: 'no-cycle' },
  { file: 'app/wopi/circle/other.ts', line: typeOf('./one.ts'), rule: 'no-cycle' },
);

let lintRoot: string;
const found = new Map<string, string[]>();

before(async () => {
  lintRoot = await mkdtemp(join(tmpdir(), 'doctray-import-rules-'));
  await copyFile(join(projectRoot, '.oxlintrc.json'), join(lintRoot, '.oxlintrc.json'));
  for (const { file, line } of samples) {
    await mkdir(dirname(join(lintRoot, file)), { recursive: true });
    await writeFile(join(lintRoot, file), `${line}\n`);
  }
  const oxlint = join(projectRoot, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const text = await new Promise<string>((resolve) => {
    // exits with 1, since there are errors
    execFile(
      process.execPath,
      [oxlint, '-f', 'json'],
      { cwd: lintRoot, maxBuffer: 1 << 26 },
      (_error, stdout) => {
        resolve(stdout);
      },
    );
  });
  const report = JSON.parse(text) as Report;
  for (const { code, filename } of report.diagnostics) {
    const file = filename.replaceAll('\\', '/');
    found.set(file, [...(found.get(file) ?? []), code]);
  }
});

after(async () => {
  await rm(lintRoot, { recursive: true, force: true });
});

const boundaryRules = ['no-restricted-imports', 'no-restricted-globals', 'no-nodejs-modules'];

for (const folder of new Set(samples.map(({ file }) => dirname(file)))) {
  const here = samples.filter(({ file }) => dirname(file) === folder);

  test(`lint allows the permitted imports of ${folder}`, () => {
    for (const { file, line } of here.filter(({ rule }) => rule === undefined)) {
      const complaints = (found.get(file) ?? []).filter((code) =>
        boundaryRules.some((rule) => code.includes(rule)),
      );
      assert.deepEqual(complaints, [], `lint rejects in ${folder}: ${line}`);
    }
  });

  if (here.every(({ rule }) => rule === undefined)) continue;
  test(`lint rejects forbidden imports and globals in ${folder}`, () => {
    for (const { file, line, rule } of here) {
      if (rule === undefined) continue;
      const complaints = found.get(file) ?? [];
      assert.ok(
        complaints.some((code) => code.includes(rule)),
        `lint doesn’t report in ${folder}: ${line}`,
      );
    }
  });
}
