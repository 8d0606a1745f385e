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
  test(`the ${name} asks a running DocTray to quit before electron-builder ends it by force`, () => {
    const text = compile(...args);
    const quit = text.indexOf('DocTray.exe" quit --yes');
    assert.ok(quit !== -1, 'asks it');
    assert.ok(text.includes('Stop-Process'), 'ends it if it doesn’t quit');
  });
}

test('waits for the answer longer than `quit` itself, and only if DocTray is installed', () => {
  const lines = macro('customCheckAppRunning')
    .trimEnd()
    .split('\n')
    .map((line) => line.trim());
  assert.deepEqual(lines, [
    '${if} ${FileExists} "$INSTDIR\\${APP_EXECUTABLE_FILENAME}"',
    'nsExec::Exec /TIMEOUT=70000 \'"$INSTDIR\\${APP_EXECUTABLE_FILENAME}" quit --yes\'',
    'Pop $R0',
    '${endIf}',
    '!insertmacro IS_POWERSHELL_AVAILABLE',
    '!insertmacro _CHECK_APP_RUNNING',
  ]);
  const hostCommands = readFileSync(join(root, 'app', 'terminal', 'commands', 'host.ts'), 'utf8');
  assert.match(hostCommands, /quitLimitMs = 60_000/);
  // Otherwise electron-builder would check in its own way, and these lines would be missing from it.
  const own = readFileSync(join(templates, 'include', 'allowOnlyOneInstallerInstance.nsh'), 'utf8');
  const [, leftOut = ''] = /!ifmacrondef customCheckAppRunning\n([^]*?)!endif/.exec(own) ?? [];
  assert.equal(leftOut.trim(), macro('customHeader').trim());
});

test('“Open with” has the same extensions on all systems, and uninstalling removes each entry', () => {
  const extensions = [...macro('eachDocumentKind').matchAll(/\$\{ACTION\} (\w+)$/gm)].map(
    ([, one = '']) => one,
  );
  const mac = [config.mac?.fileAssociations ?? []].flat().flatMap(({ ext }) => ext);
  assert.deepEqual(extensions.toSorted(), mac.toSorted());
  assert.deepEqual(
    config.linux?.mimeTypes?.toSorted(),
    extensions.map((one) => mimeTypes[one] ?? one).toSorted(),
  );
  const key = '"Software\\Classes\\.${EXTENSION}\\OpenWithProgids"';
  // WriteRegNone isn't in every NSIS 3.
  assert.equal(macro('offerOpenWith').trim(), `WriteRegStr SHELL_CONTEXT ${key} "\${DOCTRAY_DOCUMENT}" ""`);
  assert.deepEqual(macro('withdrawOpenWith').trim().split(/\n */), [
    `DeleteRegValue SHELL_CONTEXT ${key} "\${DOCTRAY_DOCUMENT}"`,
    `!insertmacro deleteEmptyKey ${key}`,
    '!insertmacro deleteEmptyKey "Software\\Classes\\.${EXTENSION}"',
  ]);
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

test('deletes a key only if it has neither values nor subkeys', () => {
  assert.match(
    macro('deleteEmptyKey'),
    /ClearErrors\n +EnumRegValue \$R0 SHELL_CONTEXT "\$\{KEY\}" 0\n +\$\{if\} \$\{Errors\}\n +DeleteRegKey \/ifempty SHELL_CONTEXT "\$\{KEY\}"\n/,
  );
});

test('adds the folder of doctray.cmd to the PATH, and removes it unless it is an update', () => {
  assert.match(macro('customInstall'), /changePath "\$\{DOCTRAY_ADDED_TO_PATH\}"/);
  const [, onlyWithoutUpdate = ''] = /\$\{ifNot\} \$\{isUpdated\}\n([^]*)^ {2}\$\{endIf\}/m.exec(
    macro('customUnInstall'),
  ) ?? [''];
  assert.match(onlyWithoutUpdate, /changePath "\$\{DOCTRAY_REMOVED_FROM_PATH\}"/);
  assert.deepEqual(config.win?.extraFiles, [{ from: 'build/doctray.cmd', to: 'bin/doctray.cmd' }]);
  const command = readFileSync(join(root, 'build', 'doctray.cmd'), 'utf8');
  assert.equal(command.trimEnd(), String.raw`@"%~dp0..\DocTray.exe" %*`);

  for (const [args, change] of [
    [
      [],
      String.raw`$q = ($p -split ';' | ? { $f = $_ | f; $f -eq $d -or $f -notlike '[a-z]:*\DocTray\bin' -or [IO.Directory]::Exists($f) -or -not [IO.Directory]::Exists($f.Substring(0, 3)) }) -join ';'; if (($q -split ';' | f) -contains $d) { $q } else { (@($q.TrimEnd(';'), $d) -ne '') -join ';' }`,
    ],
    [['-DBUILD_UNINSTALLER'], "($p -split ';' | ? { ($_ | f) -ne $d }) -join ';'"],
  ] as const) {
    const [powershell = ''] = /-NoProfile -NonInteractive -Command "\$d = .*?"/.exec(compile(...args)) ?? [];
    assert.ok(powershell.includes(`$n = & { ${change} }; if ($n -cne $p) {`), powershell);
    // An entry is compared as it works, and kept as it is stored: expanded, %USERPROFILE% and the like would be lost.
    assert.ok(
      powershell.includes(
        String.raw`filter f { [Environment]::ExpandEnvironmentVariables($_).TrimEnd('\') }`,
      ),
    );
    assert.ok(powershell.includes("GetValue('Path', '', 'DoNotExpandEnvironmentNames')"));
    assert.ok(powershell.includes("SetValue('Path', $n, 'ExpandString')"));
    assert.ok(powershell.length < 900, 'a string of NSIS holds 1024 characters');
  }
});
