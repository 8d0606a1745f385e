// The custom part of the Windows installer, inside as many of electron-builder's own scripts as don't need its plugins.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { getConfig } from 'app-builder-lib/out/util/config/config.js';

const root = join(import.meta.dirname, '..', '..');
const config = await getConfig(root, 'electron-builder.yml', null);
const installer = readFileSync(join(root, 'build', 'installer.nsh'), 'utf8');
const templates = join(
  dirname(fileURLToPath(import.meta.resolve('app-builder-lib/package.json'))),
  'templates',
  'nsis',
);

function macro(name: string): string {
  const body = new RegExp(`^!macro ${name}\\b.*\\n([^]*?)^!macroend$`, 'm').exec(installer)?.[1];
  assert.ok(body, name);
  return body;
}

/** As electron-builder's script inserts the macros. It compiles the installer and the uninstaller separately. */
const script = `
Unicode true
OutFile program.exe
SetCompress off
!addincludedir ${JSON.stringify(join(templates, 'include'))}
!include LogicLib.nsh
!define PRODUCT_NAME DocTray
!define APP_EXECUTABLE_FILENAME DocTray.exe
!macro _isUpdated _a _b _t _f
  StrCmp $R9 updated \`\${_t}\` \`\${_f}\`
!macroend
!define isUpdated '"" isUpdated ""'
!include ${JSON.stringify(join(root, 'build', 'installer.nsh'))}
!include allowOnlyOneInstallerInstance.nsh
!insertmacro customHeader
LoadLanguageFile "\${NSISDIR}/Contrib/Language files/English.nlf"
LangString appRunning 0 "running"
LangString appClosing 0 "closing"
LangString appCannotBeClosed 0 "cannot be closed"
!ifdef BUILD_UNINSTALLER
  Function un.checkAppRunning
    !insertmacro CHECK_APP_RUNNING
  FunctionEnd
  Section
    WriteUninstaller uninstall.exe
  SectionEnd
  Section un.Uninstall
    Call un.checkAppRunning
    !insertmacro customUnInstall
  SectionEnd
!else
  Var appExe
  Section
    !insertmacro CHECK_APP_RUNNING
    StrCpy $appExe DocTray.exe
    !insertmacro customInstall
  SectionEnd
!endif
`;

/** Compiles it without compression. @returns its text */
function compile(...args: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'doctray-nsis-'));
  try {
    writeFileSync(join(folder, 'program.nsi'), script);
    const options = { cwd: folder, encoding: 'utf8' } as const;
    const { status, stdout, stderr, error } = spawnSync(
      'makensis',
      ['-WX', '-V2', ...args, 'program.nsi'],
      options,
    );
    assert.equal(status, 0, error?.message ?? `${stdout}${stderr}`);
    return readFileSync(join(folder, 'program.exe'), 'latin1').replaceAll('\0', '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const [name, args] of [
  ['installer', []],
  ['uninstaller', ['-DBUILD_UNINSTALLER']],
] as const) {
  test(`the ${name} asks a running DocTray to quit before electron-builder ends it by force, and changes the PATH as it is stored`, () => {
    const text = compile(...args);
    const quit = text.indexOf('DocTray.exe" quit --yes');
    assert.ok(quit !== -1, 'asks it');
    assert.ok(text.includes('Stop-Process'), 'ends it if it doesn’t quit');
    const [powershell = ''] = /-NoProfile -NonInteractive -Command "\$d = .*?"/.exec(text) ?? [];
    // Expanded, %USERPROFILE% and the like would be lost.
    assert.ok(powershell.includes("GetValue('Path', '', 'DoNotExpandEnvironmentNames')"), powershell);
    assert.ok(powershell.includes("SetValue('Path', $n, 'ExpandString')"));
    assert.ok(powershell.length < 900, 'a string of NSIS holds 1024 characters');
  });
}

test('waits for the answer longer than `quit` itself', () => {
  const [, waitMs] = /TIMEOUT=(\d+) .*" quit --yes'/.exec(macro('customCheckAppRunning')) ?? [];
  const hostCommands = readFileSync(join(root, 'app', 'terminal', 'commands', 'host.ts'), 'utf8');
  const [, limitMs = ''] = /quitLimitMs = ([\d_]+)/.exec(hostCommands) ?? [];
  assert.ok(Number(waitMs) > Number(limitMs.replaceAll('_', '')), `${waitMs} ms`);
});

test('“Open with” has the same extensions on all systems', () => {
  const extensions = [...macro('eachDocumentKind').matchAll(/\$\{ACTION\} (\w+)$/gm)].map(
    ([, one = '']) => one,
  );
  const mac = [config.mac?.fileAssociations ?? []].flat().flatMap(({ ext }) => ext);
  assert.deepEqual(extensions.toSorted(), mac.toSorted());
  assert.deepEqual(
    config.linux?.mimeTypes?.toSorted(),
    extensions.map((one) => mimeTypes[one] ?? one).toSorted(),
  );
});

const mimeTypes: Record<string, string> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  rtf: 'application/rtf',
  csv: 'text/csv',
  txt: 'text/plain',
};

test('the folder that is added to the PATH has the command `doctray`', () => {
  assert.deepEqual(config.win?.extraFiles, [{ from: 'build/doctray.cmd', to: 'bin/doctray.cmd' }]);
  const command = readFileSync(join(root, 'build', 'doctray.cmd'), 'utf8');
  assert.equal(command.trimEnd(), String.raw`@"%~dp0..\DocTray.exe" %*`);
});

test('Run finds the app, and the uninstaller removes every key of the installer', () => {
  const appPath = String.raw`Software\Microsoft\Windows\CurrentVersion\App Paths\doctray.exe`;
  assert.match(installer, /^ {2}WriteRegStr SHELL_CONTEXT "\$\{DOCTRAY_APP_PATH\}" "" "\$appExe"$/m);
  assert.ok(installer.includes(`!define DOCTRAY_APP_PATH "${appPath}"\n`));
  const keysOf = (command: string): string[] =>
    [...installer.matchAll(new RegExp(`^ *${command} SHELL_CONTEXT "([^"]+)"`, 'gm'))].map(
      ([, key]) => key ?? '',
    );
  // The keys of "Open with" may have values of other programs.
  const removed = [...keysOf('DeleteRegKey'), 'Software\\Classes\\.${EXTENSION}'];
  const kept = keysOf('WriteRegStr').filter(
    (key) => !removed.some((root) => key === root || key.startsWith(`${root}\\`)),
  );
  assert.deepEqual(kept, []);
});

test('the uninstaller asks before it deletes data, keeps it by default, and does nothing in an update', () => {
  const [, uninstaller = ''] = installer.split('!macro customUnInstall');
  const [beforeUpdate = '', afterwards = ''] = uninstaller.split('${ifNot} ${isUpdated}');
  assert.equal(beforeUpdate.trim(), '');
  const commands = uninstaller.match(/^.*uninstall \$R1'$/gm) ?? [];
  assert.equal(commands.length, 1);
  assert.match(
    afterwards,
    /StrCpy \$R1 "--yes"\n.*MB_DEFBUTTON2.* \/SD IDNO IDNO \+2\n.*StrCpy \$R1 "--delete-data --delete-recovered --yes"\n/,
  );
});
