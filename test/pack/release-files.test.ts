// The files of a release, and the secrets that sign it.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { signingEnvironment } from '../../build/installers.ts';
import {
  addReleaseFiles,
  checkTag,
  createSbom,
  parseReleaseArguments,
  releaseNotes,
} from '../../build/release-files.ts';

const root = join(import.meta.dirname, '..', '..');
const installers = [
  'DocTray-Setup-1.2.3.exe',
  'DocTray-x86_64.AppImage',
  'DocTray-1.2.3.dmg',
  'DocTray-1.2.3-arm64.dmg',
  'DocTray-1.2.3-mac.zip',
  'DocTray-1.2.3-win.zip',
  'doctray-1.2.3.x86_64.rpm',
  'doctray_1.2.3_amd64.deb',
];
/** Metadata of the update feed, with signatures. */
const feed = ['latest.yml', 'latest-linux.yml', 'latest-mac.yml'].flatMap((name) => [name, `${name}.sig`]);

function makeFolder(context: TestContext, names: readonly string[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), 'doctray-release-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of names) writeFileSync(join(folder, name), `content of ${name}`);
  return folder;
}

test('accepts only the tag of the version in package.json', () => {
  checkTag('v1.2.3', '1.2.3');
  for (const tag of ['1.2.3', 'v1.2.30', 'v1.2.3-beta', 'main'])
    assert.throws(() => checkTag(tag, '1.2.3'), /isn't v1\.2\.3/);
  const env = { GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1.2.3' };
  assert.deepEqual(parseReleaseArguments(['dir'], env), { tag: 'v1.2.3', folder: 'dir' });
  assert.deepEqual(parseReleaseArguments(['--tag', 'v2.0.0'], env), { tag: 'v2.0.0' });
  assert.throws(() => parseReleaseArguments([], { ...env, GITHUB_REF_TYPE: 'branch' }), /no tag/);
});

test('uses the version’s section of the changelog as release notes', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\n- c\n\n## 1.2.3 - 2026-01-02\n\n### Added\n\n- b\n\n## [1.2.2]\n\n- a\n';
  assert.equal(releaseNotes(changelog, '1.2.3'), '### Added\n\n- b');
  assert.equal(releaseNotes(changelog, '1.2.2'), '- a');
  assert.throws(() => releaseNotes(changelog, '1.2'), /no section for 1\.2\. /);
  const unreleased = '## 1.2.3 - unreleased\n\n- b\n';
  assert.throws(() => releaseNotes(unreleased, '1.2.3'), /"1\.2\.3 - unreleased".* date/);
});

test('adds an SBOM and the checksums of all files', async (context) => {
  const folder = makeFolder(context, [...installers, ...feed]);
  const expected = [...installers, ...feed, 'DocTray-1.2.3.cdx.json'];
  // A second run must have the same result.
  for (const run of [1, 2]) {
    const names = await addReleaseFiles(folder, '1.2.3', '{}\n');
    assert.deepEqual(names, [...expected.toSorted(), 'SHA256SUMS'], `run ${run}`);
    assert.deepEqual(readdirSync(folder).toSorted(), names.toSorted());
  }
  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
  assert.equal(sums.length, expected.length);
  for (const line of sums) {
    const [sum, name = ''] = line.split('  ');
    const hash = createHash('sha256').update(readFileSync(join(folder, name)));
    assert.equal(sum, hash.digest('hex'), name);
  }
});

test('rejects a release that lacks files or has others, without checksums', async (context) => {
  const all = [...installers, ...feed];
  for (const [names, problem] of [
    [
      all.filter((name) => /\.(?:AppImage|deb|rpm)$/.test(name)),
      /ends with \.dmg, -mac\.zip, -win\.zip, \.exe\.$/,
    ],
    [[...all, 'DocTray-1.2.2.dmg'], /aren't files of 1\.2\.3: DocTray-1\.2\.2\.dmg\.$/],
    [[...all, 'DocTray Setup 1.2.3.exe'], /GitHub renames these files: DocTray Setup 1\.2\.3\.exe\.$/],
    [all.filter((name) => name !== 'latest.yml.sig'), /^These have no signature: latest\.yml\.$/],
    [all.filter((name) => name !== 'latest-mac.yml.sig'), /^These have no signature: latest-mac\.yml\.$/],
  ] as const) {
    const folder = makeFolder(context, names);
    await assert.rejects(addReleaseFiles(folder, '1.2.3', '{}'), { message: problem });
    assert.ok(!readdirSync(folder).includes('SHA256SUMS'));
  }
});

test('the SBOM lists the packages in the app, without development dependencies', (context) => {
  const output = makeFolder(context);
  const bundled = ['react', '@codemirror/view', 'dompurify'].map((name) => {
    const manifest = join(root, 'node_modules', name, 'package.json');
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
    return { name, version };
  });
  for (const bundle of ['main', 'preload', 'window', 'host-page', 'text-editor']) {
    mkdirSync(join(output, bundle, '.vite'), { recursive: true });
    const list = bundle === 'window' ? bundled : [];
    writeFileSync(join(output, bundle, '.vite', 'licenses.json'), JSON.stringify(list));
  }
  const sbom = JSON.parse(createSbom(output)) as {
    bomFormat: string;
    metadata: { component: { name: string; type: string } };
    components: { name: string; 'bom-ref': string }[];
    dependencies: { ref: string; dependsOn: string[] }[];
  };
  assert.equal(sbom.bomFormat, 'CycloneDX');
  assert.deepEqual([sbom.metadata.component.name, sbom.metadata.component.type], ['doctray', 'application']);
  const names = sbom.components.map(({ name }) => name);
  // The last one is a dependency of @codemirror/view.
  for (const name of ['better-sqlite3', 'keytar', 'electron', '@codemirror/view', 'style-mod'])
    assert.ok(names.includes(name), name);
  for (const name of ['typescript', 'playwright', 'electron-builder', '@codemirror/lang-css'])
    assert.ok(!names.includes(name), name);
  const refs = new Set(sbom.components.map((one) => one['bom-ref']));
  for (const { dependsOn } of sbom.dependencies) for (const ref of dependsOn) assert.ok(refs.has(ref), ref);
  assert.doesNotMatch(JSON.stringify(sbom), /cdx:npm:package:development/);
});

test('ignores unset signing secrets, and writes an API key given as text to a private file', (context) => {
  const folder = makeFolder(context);
  const unset = { CSC_LINK: '', CSC_KEY_PASSWORD: '', APPLE_API_KEY: '', APPLE_API_KEY_ID: '', PATH: '/bin' };
  assert.deepEqual(signingEnvironment(unset, folder), { PATH: '/bin' });
  const account = { APPLE_API_KEY: '/home/ada/key.p8', APPLE_API_KEY_ID: 'K', APPLE_API_ISSUER: 'I' };
  assert.deepEqual(signingEnvironment({ ...account, CSC_LINK: '' }, folder), {}, 'no Developer ID');
  const signed = { ...account, CSC_LINK: 'developer-id.p12', CSC_KEY_PASSWORD: 'secret' };
  assert.deepEqual(signingEnvironment(signed, folder), signed);
  assert.deepEqual(readdirSync(folder), []);

  const text = '-----BEGIN PRIVATE KEY-----\nMIG\n-----END PRIVATE KEY-----';
  const { APPLE_API_KEY: path = '' } = signingEnvironment({ ...signed, APPLE_API_KEY: text }, folder);
  assert.equal(readFileSync(path, 'utf8'), `${text}\n`);
  if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
});
