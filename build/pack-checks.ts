// What is looked at in a packed app: the fuses, the list of the archive, and that every package can be loaded from it.
// It says what it found and leaves judging the whole to its caller.

import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isBuiltin } from 'node:module';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { extractAll, getRawHeader } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { trayImagePath } from '../app/desktop/tray.ts';
import { trayStates } from './icons.ts';

export interface Finding {
  what: string;
  /** Undefined when it is as it should be. */
  problem: string | undefined;
}

export interface Target {
  platform: NodeJS.Platform;
  arch: string;
}

/** As electron-builder.yml sets them, written down a second time on purpose. */
const expectedFuses = {
  RunAsNode: false,
  EnableCookieEncryption: false,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  LoadBrowserProcessSpecificV8Snapshot: false,
  GrantFileProtocolExtraPrivileges: false,
} as const satisfies Partial<Record<keyof typeof FuseV1Options, boolean>>;

export async function checkFuses(executable: string): Promise<Finding[]> {
  const wire = await getCurrentFuseWire(executable);
  return Object.entries(expectedFuses).map(([name, isOn]) => {
    const state = wire[FuseV1Options[name as keyof typeof expectedFuses]];
    const found = state === undefined ? 'missing' : FuseState[state];
    const wanted = isOn ? 'ENABLE' : 'DISABLE';
    return {
      what: `fuse ${name} is ${isOn ? 'on' : 'off'}`,
      problem: found === wanted ? undefined : `it is ${found}`,
    };
  });
}

/** One file of the archive. */
export interface ArchiveFile {
  /** Inside the archive, '/'-separated, without a leading one. */
  path: string;
  bytes: number;
  /** Lies beside the archive, in app.asar.unpacked. */
  isUnpacked: boolean;
}

type Header = ReturnType<typeof getRawHeader>['header'];

function archiveFiles(archive: string): ArchiveFile[] {
  const files: ArchiveFile[] = [];
  const walk = (folder: Header, prefix: string) => {
    for (const [name, entry] of Object.entries(folder.files)) {
      const path = prefix + name;
      if ('files' in entry) walk(entry, `${path}/`);
      else if ('link' in entry) files.push({ path, bytes: 0, isUnpacked: false });
      else files.push({ path, bytes: entry.size, isUnpacked: entry.unpacked });
    }
  };
  walk(getRawHeader(archive).header, '');
  return files;
}

/** What the archive may begin with; whatever else is in it was swept in by a pattern. */
const belongs =
  /^((package\.json|LICENSE)$|out\/((main|preload|window|host-page|text-editor)\/|tray\/[^/]+\.png$|icon\.png$|licenses\.txt$)|docs\/help\/[a-z-]+\.md$|app\/templates\/(\w+\/)?[\w ]+\.(docx|xlsx|pptx|odt|ods|odp|md|csv)$|node_modules\/)/;
const test = /(^|\/)(tests?|__tests__|fixtures?)\/|\.(test|spec)\.[cm]?js$/;
const source = /\.([cm]?tsx?|c|cc|cpp|h|gyp)$/;
const developerPackages =
  /^node_modules\/(electron(?!-updater\/)(-[^/]*)?|vite|react(-[^/]*)?|playwright[^/]*|typescript|@types)\//;

export function checkArchive(files: ArchiveFile[], { platform, arch }: Target): Finding[] {
  const paths = files.map(({ path }) => path);
  const none = (what: string, pattern: RegExp, isWanted = false): Finding => {
    const found = paths.filter((path) => pattern.test(path) !== isWanted);
    return { what, problem: found.length === 0 ? undefined : listed(found) };
  };
  const natives = files.filter(({ path }) => path.endsWith('.node'));
  const native = (name: string, wanted: string): Finding => {
    const found = natives.filter(({ path }) => path.includes(name));
    const isRight = found.length === 1 && found[0]?.path === wanted && found[0].isUnpacked;
    return {
      what: `one binary of ${name}, for ${platform}-${arch}, next to the archive`,
      problem: isRight ? undefined : listed(found.map(({ path, isUnpacked }) => `${path} ${isUnpacked}`)),
    };
  };
  const needed = [
    'package.json',
    'LICENSE',
    'out/icon.png',
    'out/licenses.txt',
    'out/window/index.html',
    'out/host-page/host-page.js',
    'out/host-page/page.js',
    'out/host-page/host-page.css',
    'out/host-page/icon.svg',
    'out/text-editor/text-editor.js',
    'out/text-editor/page.js',
    'out/text-editor/text-editor.css',
    'out/text-editor/preview.html',
    'docs/help/start.md',
    'app/templates/Welcome.md',
    'app/templates/a4/blank.docx',
  ].concat(
    ['out/main/main.js', 'out/preload/preload.cjs'],
    trayStates.map((state) => trayImagePath('out/tray', platform, state)),
  );
  const missing = needed.filter((path) => !paths.includes(path));
  return [
    { what: 'bundles and icons are there', problem: missing.length === 0 ? undefined : listed(missing) },
    none('nothing else is in the archive', belongs, true),
    none('no tests', test),
    none('no sources', source),
    none('no source maps', /\.map$/),
    none('no bundler manifests', /\/\.vite\//),
    none('no development packages', developerPackages),
    native('better-sqlite3', `node_modules/better-sqlite3/prebuilds/${platform}-${arch}.node`),
    native('keytar', `node_modules/keytar/prebuilds/${platform}-${arch}/keytar.node`),
    {
      what: 'no other binary',
      problem: natives.length === 2 ? undefined : listed(natives.map(({ path }) => path)),
    },
  ];
}

function listed(paths: string[]): string {
  return paths.length === 0
    ? 'none'
    : `${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ', …' : ''} (${paths.length})`;
}

/** `resources` is the folder with app.asar. */
export async function checkPackage(resources: string, target: Target): Promise<Finding[]> {
  const archive = join(resources, 'app.asar');
  const findings = checkArchive(archiveFiles(archive), target);
  const beside = filesBelow(join(resources, 'app.asar.unpacked')).filter(
    (path) => !/\.node$|(^|[/\\])(macos-trash|windows-trash\.exe)$/.test(path),
  );
  findings.push({
    what: 'only binaries are next to the archive',
    problem: beside.length === 0 ? undefined : listed(beside),
  });

  const extracted = mkdtempSync(join(tmpdir(), 'doctray-asar-'));
  try {
    extractAll(archive, extracted);
    findings.push(await checkDependencies(extracted));
  } finally {
    rmSync(extracted, { recursive: true, force: true });
  }
  return findings;
}

/** Each is loaded by Node from the extracted archive, where nothing that was left out can be found elsewhere. */
async function checkDependencies(folder: string): Promise<Finding> {
  const what = 'every package the main bundle imports loads from the archive';
  const names = importedPackages(join(folder, 'out', 'main'));
  if (names.length === 0) return { what, problem: 'it imports none' };
  const script = `for (const name of ${JSON.stringify(names)}) await import(name);`;
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: folder,
      timeout: 30_000,
    });
    return { what, problem: undefined };
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    return { what, problem: /^\w*Error.*$/m.exec(stderr)?.[0] ?? String(error) };
  }
}

/** What stands in the quotes of `from '…'`, `import '…'` and `import('…')` outside of comments, without Electron and Node's own. */
function importedPackages(folder: string): string[] {
  const names = filesBelow(folder)
    .filter((path) => path.endsWith('.js'))
    .flatMap((path) => [
      ...readFileSync(join(folder, path), 'utf8').matchAll(
        /(?:^(?:import|export|\})[^\n]*?\bfrom |^import |^(?!\s*(?:\*|\/)).*?\bimport\()["']([\w@][^"'\s:]*)["']/gm,
      ),
    ])
    .map(([, name = '']) => name)
    .filter((name) => name !== 'electron' && !isBuiltin(name));
  return [...new Set(names)];
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** The whole, then its ten largest parts: files, and for the archive what it holds two folders deep. */
export function largestParts(app: string, resources: string): { path: string; bytes: number }[] {
  const parts = new Map<string, number>();
  let whole = 0;
  const add = (path: string, bytes: number) => parts.set(path, (parts.get(path) ?? 0) + bytes);
  for (const path of filesBelow(app)) {
    const bytes = statSync(join(app, path)).size;
    whole += bytes;
    if (!path.includes('app.asar')) add(path.split(sep).slice(0, 2).join('/'), bytes);
  }
  for (const { path, bytes } of archiveFiles(join(resources, 'app.asar')))
    add(
      `app.asar/${path
        .split('/')
        .slice(0, path.startsWith('node_modules/@') ? 3 : 2)
        .join('/')}`,
      bytes,
    );
  const largest = [...parts].toSorted(([, a], [, b]) => b - a).slice(0, 10);
  return [['the whole', whole] as const, ...largest].map(([path, bytes]) => ({ path, bytes }));
}
