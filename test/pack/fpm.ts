// In place of fpm, which electron-builder downloads: builds a deb or an rpm from electron-builder's arguments with dpkg-deb or rpmbuild, so
// that lintian and rpmlint can check what electron-builder asks for. Control files are written as fpm 1.17 writes them; compression is
// always fast. An option that it doesn't know fails.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

const text = { type: 'string' } as const;
const list = { type: 'string', multiple: true } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    s: text,
    t: text,
    d: { ...list, short: 'd' },
    force: { type: 'boolean' },
    architecture: text,
    'after-install': text,
    'after-remove': text,
    category: text,
    'deb-compression': text,
    'deb-priority': text,
    'deb-recommends': list,
    description: text,
    license: text,
    maintainer: text,
    name: text,
    package: text,
    'rpm-compression': text,
    'rpm-os': text,
    'rpm-summary': text,
    url: text,
    vendor: text,
    version: text,
  },
  args: process.argv.slice(2).map((argument) => argument.replace(/^-([std])$/, '--$1')),
});

const root = mkdtempSync(join(tmpdir(), 'doctray-fpm-'));
const tree = join(root, 'tree');

function required(name: keyof typeof values): string {
  const value = values[name];
  if (typeof value !== 'string') throw new Error(`fpm.ts needs --${name}.`);
  return value;
}

/** As each package format calls it. */
function architecture(): string {
  const name = required('architecture');
  if (values.t !== 'rpm') return name;
  return { amd64: 'x86_64', arm64: 'aarch64' }[name] ?? name;
}

function run(program: string, args: string[]): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? `${stdout}${stderr}`}`);
}

/** Puts each `SOURCE=TARGET` into the tree; a source that ends with a slash is a folder's content. */
function copySources(): void {
  for (const pair of positionals) {
    const [source = '', target = ''] = pair.split('=');
    const path = join(tree, target);
    mkdirSync(dirname(path), { recursive: true });
    cpSync(source, path, { recursive: true, verbatimSymlinks: true });
  }
  for (const path of everything())
    if (lstatSync(path).isDirectory()) chmodSync(path, 0o755);
    else if (!lstatSync(path).isSymbolicLink()) chmodSync(path, lstatSync(path).mode & 0o755);
}

function everything(): string[] {
  return readdirSync(tree, { recursive: true, encoding: 'utf8' })
    .map((name) => join(tree, name))
    .toSorted();
}

function files(): string[] {
  return everything().filter((path) => !lstatSync(path).isDirectory());
}

function buildDeb(): void {
  const name = required('name');
  const version = required('version');
  const maintainer = required('maintainer');
  const changelog = join(tree, 'usr/share/doc', name, 'changelog.gz');
  mkdirSync(dirname(changelog), { recursive: true });
  const entry = `${name} (${version}) whatever; urgency=medium\n\n  * Package created with FPM.\n\n -- ${maintainer}  Thu, 01 Jan 2026 00:00:00 +0000\n`;
  writeFileSync(changelog, gzipSync(entry, { level: 9 }));
  copySources();

  const [summary = '', ...more] = required('description').split('\n');
  const bytes = files().reduce((sum, path) => sum + lstatSync(path).size, 0);
  const control = [
    `Package: ${name}`,
    `Version: ${version}`,
    `License: ${required('license')}`,
    `Vendor: ${required('vendor')}`,
    `Architecture: ${architecture()}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${Math.ceil(bytes / 1024)}`,
    ...(values.d === undefined ? [] : [`Depends: ${values.d.join(', ')}`]),
    ...(values['deb-recommends'] === undefined ? [] : [`Recommends: ${values['deb-recommends'].join(', ')}`]),
    `Section: ${values.category ?? 'default'}`,
    `Priority: ${required('deb-priority')}`,
    `Homepage: ${required('url')}`,
    `Description: ${summary}`,
    ...more.map((line) => (line.trim() === '' ? ' .' : ` ${line.trimStart()}`)),
  ];
  const folder = join(tree, 'DEBIAN');
  const sums = files().map((path) => {
    const sum = createHash('md5').update(readFileSync(path)).digest('hex');
    return `${sum}  ${relative(tree, path)}\n`;
  });
  mkdirSync(folder);
  writeFileSync(join(folder, 'control'), `${control.join('\n')}\n`);
  writeFileSync(join(folder, 'md5sums'), sums.join(''));
  cpSync(required('after-install'), join(folder, 'postinst'));
  cpSync(required('after-remove'), join(folder, 'postrm'));
  for (const script of ['postinst', 'postrm']) chmodSync(join(folder, script), 0o755);
  run('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z1', '--build', tree, required('package')]);
}

function buildRpm(): void {
  copySources();
  const script = (name: 'after-install' | 'after-remove') => readFileSync(required(name), 'utf8');
  // fpm owns the files, and the folders of the app.
  const owned = everything().filter(
    (path) => !lstatSync(path).isDirectory() || relative(tree, path).startsWith('opt/'),
  );
  const fileList = owned.map((path) => {
    const inTree = `/${relative(tree, path)}`;
    return `${lstatSync(path).isDirectory() ? '%dir ' : ''}"${inTree}"`;
  });
  const spec = `%define __spec_install_post %{nil}
%define debug_package %{nil}
%define _build_id_links none
%define _binary_payload w1.gzdio
Name: ${required('name')}
Version: ${required('version')}
Release: 1
Summary: ${values['rpm-summary'] ?? required('description').split('\n')[0]}
AutoReqProv: no
BuildRoot: %buildroot
Prefix: /
Group: ${values.category ?? 'default'}
License: ${required('license')}
Vendor: ${required('vendor')}
URL: ${required('url')}
Packager: ${required('maintainer')}
${(values.d ?? []).map((need) => `Requires: ${need}\n`).join('')}%description
${required('description')}

%prep
%build
%install
cp -a ${tree}/. %{buildroot}/

%post
${script('after-install')}
%postun
${script('after-remove')}
%files
%defattr(-,root,root,-)
${fileList.join('\n')}
`;
  const specFile = join(root, 'package.spec');
  writeFileSync(specFile, spec);
  const top = join(root, 'rpmbuild');
  const target = `${architecture()}-${required('rpm-os')}`;
  run('rpmbuild', ['-bb', '--quiet', '--target', target, '--define', `_topdir ${top}`, specFile]);
  const [built = ''] = readdirSync(join(top, 'RPMS'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.rpm'),
  );
  cpSync(join(top, 'RPMS', built), required('package'));
}

mkdirSync(tree);
try {
  if (values.s !== 'dir') throw new Error(`fpm.ts can’t read ${values.s}.`);
  if (values.t === 'deb') buildDeb();
  else if (values.t === 'rpm') buildRpm();
  else throw new Error(`fpm.ts can’t write ${values.t}.`);
} finally {
  rmSync(root, { recursive: true, force: true });
}
