// electron-builder's script of the Windows installer, as far as it can be compiled here: its own templates, messages and definitions, with
// build/installer.nsh. Debian's makensis lacks the plugins that electron-builder downloads; libraries without code take their place.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Platform, type Configuration } from 'app-builder-lib';
import { NsisTarget } from 'app-builder-lib/out/targets/nsis/NsisTarget.js';

const root = join(import.meta.dirname, '..', '..');
const templates = join(root, 'node_modules', 'app-builder-lib', 'templates', 'nsis');

/** Plugins of electron-builder that Debian doesn't have. */
const plugins = ['StdUtils', 'UAC', 'WinShell', 'nsProcess', 'Nsis7z', 'SpiderBanner'];

/**
 * Compiles the installer, or the program that electron-builder runs to get the uninstaller.
 * @param folder for the plugins, messages and the result
 * @returns what makensis printed; empty without errors and warnings
 */
export async function compileNsis(
  folder: string,
  config: Configuration,
  isUninstaller: boolean,
): Promise<string> {
  writePlugins(join(folder, 'plugins', 'x86-unicode'));
  // electron-builder takes the plugins from this folder instead of downloading them.
  process.env['ELECTRON_BUILDER_NSIS_RESOURCES_DIR'] = folder;
  const { stdout, stderr, status, error } = spawnSync(
    'makensis',
    ['-WX', '-V2', '-INPUTCHARSET', 'UTF8', '-'],
    {
      cwd: templates,
      encoding: 'utf8',
      input: await nsisScript(folder, config, isUninstaller),
    },
  );
  return status === 0 ? '' : (error?.message ?? `${stdout}${stderr}`);
}

async function nsisScript(folder: string, config: Configuration, isUninstaller: boolean): Promise<string> {
  const productName = config.productName ?? '';
  let files = 0;
  // What these methods of electron-builder use of its packager.
  const packager = {
    config: {},
    platform: Platform.WINDOWS,
    expandMacro: () => `${productName} 1.2.3`,
    info: { buildResourcesDir: join(root, 'build'), cancellationToken: {}, metadata: {} },
    projectDir: root,
    getTempFile: (name: string) => Promise.resolve(join(folder, `${++files}-${name}`)),
    getResource: (path?: string | null) => Promise.resolve(path == null ? null : join(root, path)),
    appInfo: { productName, productFilename: productName, updaterCacheDirName: 'doctray-updater' },
  };
  const target = Object.assign(Object.create(NsisTarget.prototype) as object, {
    name: 'nsis',
    packager,
    // Debian's NSIS lacks some texts of other languages.
    options: { ...config.nsis, installerLanguages: ['en_US', 'de_DE'] },
  }) as unknown as {
    configureDefinesForAllTypeOfInstaller(defines: Record<string, string | null>): void;
    configureDefines(isOneClick: boolean, defines: Record<string, string | null>): Promise<void>;
    computeCommonInstallerScriptHeader(): Promise<string>;
  };
  const id = '00000000-0000-0000-0000-000000000000';
  const defines: Record<string, string | null> = {
    APP_ID: config.appId ?? '',
    APP_GUID: id,
    UNINSTALL_APP_KEY: id,
    PRODUCT_NAME: productName,
    PRODUCT_FILENAME: productName,
    APP_FILENAME: productName,
    APP_DESCRIPTION: productName,
    APP_PACKAGE_NAME: 'doctray',
    VERSION: '1.2.3',
  };
  target.configureDefinesForAllTypeOfInstaller(defines);
  await target.configureDefines(false, defines);
  if (isUninstaller)
    Object.assign(defines, { BUILD_UNINSTALLER: null, UNINSTALLER_OUT_FILE: 'uninstaller.exe' });
  else {
    const app = join(folder, 'app.7z');
    writeFileSync(app, '');
    Object.assign(defines, {
      UNINSTALLER_OUT_FILE: app,
      APP_64: app,
      APP_64_NAME: 'app.7z',
      APP_64_HASH: '00',
      APP_64_UNPACKED_SIZE: '1',
    });
  }
  return [
    'Unicode true',
    `OutFile "${join(folder, 'installer.exe')}"`,
    'SetCompressor zlib',
    ...Object.entries(defines).map(
      ([name, value]) => `!define ${name}${value === null ? '' : ` ${JSON.stringify(value)}`}`,
    ),
    await target.computeCommonInstallerScriptHeader(),
    readFileSync(join(templates, 'installer.nsi'), 'utf8'),
  ].join('\n');
}

function writePlugins(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const sources = readdirSync(templates, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.ns[hi]$/.test(name),
  );
  const text = sources.map((name) => readFileSync(join(templates, name), 'utf8')).join('\n');
  for (const plugin of plugins) {
    const names = [...text.matchAll(new RegExp(String.raw`\b${plugin}::(\w+)`, 'gi'))].map(
      ([, name = '']) => name,
    );
    writeFileSync(join(folder, `${plugin}.dll`), library(`${plugin}.dll`, [...new Set(names)].toSorted()));
  }
}

/** A 32-bit Windows library that exports these names and contains no code. */
function library(name: string, exports: string[]): Buffer {
  /** Where Windows would load the only section, and where it is in the file. */
  const start = 0x1000;
  const fileStart = 0x200;
  const strings: Buffer[] = [];
  const tables = 40 + 10 * exports.length;
  let next = start + tables;
  const place = (text: string): number => {
    const bytes = Buffer.from(`${text}\0`);
    strings.push(bytes);
    const at = next;
    next += bytes.length;
    return at;
  };
  const directory = Buffer.alloc(tables);
  directory.writeUInt32LE(place(name), 12);
  directory.writeUInt32LE(1, 16);
  for (const at of [20, 24]) directory.writeUInt32LE(exports.length, at);
  const [functions, names, ordinals] = [40, 40 + 4 * exports.length, 40 + 8 * exports.length];
  for (const [index, at] of [functions, names, ordinals].entries())
    directory.writeUInt32LE(start + at, 28 + 4 * index);
  for (const [index, text] of exports.entries()) {
    directory.writeUInt32LE(start, functions + 4 * index);
    directory.writeUInt32LE(place(text), names + 4 * index);
    directory.writeUInt16LE(index, ordinals + 2 * index);
  }
  const section = Buffer.concat([directory, ...strings]);
  const size = Math.ceil(section.length / fileStart) * fileStart;

  const header = Buffer.alloc(fileStart);
  header.write('MZ', 0);
  header.writeUInt32LE(0x40, 0x3c);
  header.write('PE\0\0', 0x40);
  header.writeUInt16LE(0x14c, 0x44); // i386
  header.writeUInt16LE(1, 0x46);
  header.writeUInt16LE(0xe0, 0x54);
  header.writeUInt16LE(0x2102, 0x56);
  const optional = 0x58;
  header.writeUInt16LE(0x10b, optional);
  header.writeUInt32LE(0x10000000, optional + 28);
  header.writeUInt32LE(start, optional + 32);
  header.writeUInt32LE(fileStart, optional + 36);
  header.writeUInt32LE(start + size, optional + 56);
  header.writeUInt32LE(fileStart, optional + 60);
  header.writeUInt32LE(16, optional + 92);
  header.writeUInt32LE(start, optional + 96);
  header.writeUInt32LE(section.length, optional + 100);
  const table = optional + 0xe0;
  header.write('.edata', table);
  header.writeUInt32LE(section.length, table + 8);
  header.writeUInt32LE(start, table + 12);
  header.writeUInt32LE(size, table + 16);
  header.writeUInt32LE(fileStart, table + 20);
  header.writeUInt32LE(0x40000040, table + 36);
  return Buffer.concat([header, section, Buffer.alloc(size - section.length)]);
}
