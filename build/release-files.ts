// Prepares a release: `npm run release-files` checks that the tag and the changelog belong to the version in package.json;
// `npm run release-files -- DIR` then also adds checksums and an SBOM to the installers of all systems in DIR.
//
//   --tag TAG   the tag (otherwise the one the workflow runs for)

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';

const projectRoot = join(import.meta.dirname, '..');
const sumsName = 'SHA256SUMS';
/** One installer of each kind must be there, or a system is missing. */
const kinds = ['.AppImage', '.deb', '.rpm', '.dmg', '.zip', '.exe'];

export function ownVersion(): string {
  const text = readFileSync(join(projectRoot, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** The tag that a release belongs to. @throws Error if there is none */
export function givenTag(args: readonly string[], env: NodeJS.ProcessEnv): { tag: string; folder?: string } {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { tag: { type: 'string' } },
  });
  const tag = values.tag ?? (env['GITHUB_REF_TYPE'] === 'tag' ? env['GITHUB_REF_NAME'] : undefined);
  if (tag === undefined) throw new Error('There is no tag to check. Name one with --tag.');
  const [folder] = positionals;
  return { tag, ...(folder !== undefined && { folder }) };
}

/** @throws Error if the tag isn't the version's */
export function checkTag(tag: string, version: string): void {
  if (tag === `v${version}`) return;
  throw new Error(
    `The tag ${tag} isn't v${version}, the version in package.json. Change one of them, then tag again.`,
  );
}

/** The version's section of the changelog, without its heading. @throws Error if there is none */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => {
    const [name = ''] = text.split(/\s/, 1);
    return name === version || name === `[${version}]`;
  });
  const notes = section?.slice(section.indexOf('\n')).trim() ?? '';
  if (notes !== '') return notes;
  throw new Error(`CHANGELOG.md has no section for ${version}. Rename "Unreleased" to "${version} - DATE".`);
}

/**
 * Adds the SBOM and the checksums.
 * @param sbom its text
 * @returns the names of all files
 * @throws Error if an installer is missing
 */
export async function addReleaseFiles(folder: string, version: string, sbom: string): Promise<string[]> {
  for (const name of readdirSync(folder)) {
    // GitHub would rename it, and its checksum would be for another name.
    if (name.includes(' ')) renameSync(join(folder, name), join(folder, name.replaceAll(' ', '-')));
  }
  const found = readdirSync(folder);
  const missing = kinds.filter((kind) => !found.some((name) => name.endsWith(kind)));
  if (missing.length > 0) throw new Error(`${folder} has no file that ends with ${missing.join(', ')}.`);
  const isFeed = (name: string): boolean => /^latest.*\.yml/.test(name);
  const hasVersion = (name: string): boolean => name.includes(version) || name.endsWith('.AppImage');
  const foreign = found.filter((name) => !hasVersion(name) && name !== sumsName && !isFeed(name));
  if (foreign.length > 0) throw new Error(`These aren't files of ${version}: ${foreign.join(', ')}.`);

  const sbomName = `DocTray-${version}.cdx.json`;
  writeFileSync(join(folder, sbomName), sbom);
  const names = [...new Set([...found, sbomName])].filter((name) => name !== sumsName).toSorted();
  const lines: string[] = [];
  for (const name of names) {
    const hash = createHash('sha256');
    // oxlint-disable-next-line no-await-in-loop
    await pipeline(createReadStream(join(folder, name)), hash);
    lines.push(`${hash.digest('hex')}  ${name}\n`);
  }
  writeFileSync(join(folder, sumsName), lines.join(''));
  return [...names, sumsName];
}

/** What the app is made of, in the CycloneDX format. @throws Error if npm can't list it */
export function createSbom(): string {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--omit', 'dev'];
  const options = { cwd: projectRoot, encoding: 'utf8', maxBuffer: 1 << 26 } as const;
  const { npm_execpath: npm } = process.env;
  const { status, stdout, stderr, error } =
    npm === undefined
      ? spawnSync('npm', args, options)
      : spawnSync(process.execPath, [npm, ...args], options);
  if (status !== 0) throw new Error(`npm sbom failed.\n${error?.message ?? stderr}`);
  const sbom = JSON.parse(stdout) as { metadata: { component: { name: string } } };
  // npm names it after the folder.
  sbom.metadata.component.name = 'doctray';
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

async function main(): Promise<void> {
  const { tag, folder } = givenTag(process.argv.slice(2), process.env);
  const version = ownVersion();
  checkTag(tag, version);
  releaseNotes(readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8'), version);
  if (folder === undefined) return;
  for (const name of await addReleaseFiles(folder, version, createSbom())) process.stdout.write(`${name}\n`);
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
