// Prepares a release: `npm run release-files` checks that the tag and the changelog belong to the version in package.json;
// `npm run release-files -- DIR` then also adds checksums and an SBOM to the installers of all systems in DIR, after `npm run build`.
//
//   --tag TAG   the tag (otherwise the one the workflow runs for)

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { bundledPackages, packageIds, productionPackages } from './licenses.ts';

const projectRoot = join(import.meta.dirname, '..');
const sumsName = 'SHA256SUMS';
/** One installer of each kind must be there, or a system is missing. */
const kinds = ['.AppImage', '.deb', '.rpm', '.dmg', '-mac.zip', '-win.zip', '.exe'];

export function ownVersion(): string {
  const text = readFileSync(join(projectRoot, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** The tag that a release belongs to, and the folder of its files. @throws Error if there is no tag */
export function parseReleaseArguments(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): { tag: string; folder?: string } {
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

/** The version's section of the changelog, without its heading. @throws Error if there is none, or it has no date yet */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => {
    const [name = ''] = text.split(/\s/, 1);
    return name === version || name === `[${version}]`;
  });
  const heading = section?.split('\n', 1)[0] ?? '';
  if (/unreleased/i.test(heading))
    throw new Error(`CHANGELOG.md calls the section "${heading}". Replace "unreleased" with the date.`);
  const notes = section?.slice(heading.length).trim() ?? '';
  if (notes !== '') return notes;
  throw new Error(`CHANGELOG.md has no section for ${version}. Rename "Unreleased" to "${version} - DATE".`);
}

/**
 * Adds the SBOM and the checksums.
 * @param sbom its text
 * @returns the names of all files
 * @throws Error if a file is missing, or one doesn't belong to the release
 */
export async function addReleaseFiles(folder: string, version: string, sbom: string): Promise<string[]> {
  const found = readdirSync(folder);
  // GitHub would rename them, and checksums and the signed feed would be for other names.
  const renamed = found.filter((name) => !/^[\w.+-]+$/.test(name));
  if (renamed.length > 0) throw new Error(`GitHub renames these files: ${renamed.join(', ')}.`);
  const missing = kinds.filter((kind) => !found.some((name) => name.endsWith(kind)));
  if (missing.length > 0) throw new Error(`${folder} has no file that ends with ${missing.join(', ')}.`);
  const isMetadata = (name: string): boolean => /^latest.*\.yml$/.test(name);
  const isFeed = (name: string): boolean => isMetadata(name.replace(/\.sig$/, ''));
  const hasVersion = (name: string): boolean => name.includes(version) || name.endsWith('.AppImage');
  const foreign = found.filter((name) => !hasVersion(name) && name !== sumsName && !isFeed(name));
  if (foreign.length > 0) throw new Error(`These aren't files of ${version}: ${foreign.join(', ')}.`);
  // Installed apps ignore metadata without a signature.
  const unsigned = found.filter((name) => isMetadata(name) && !found.includes(`${name}.sig`));
  if (unsigned.length > 0) throw new Error(`These have no signature: ${unsigned.join(', ')}.`);

  const sbomName = `DocTray-${version}.cdx.json`;
  writeFileSync(join(folder, sbomName), sbom);
  const names = [...new Set([...found, sbomName])].filter((name) => name !== sumsName).toSorted();
  const lines: string[] = [];
  for (const name of names) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(folder, name)), hash);
    lines.push(`${hash.digest('hex')}  ${name}\n`);
  }
  writeFileSync(join(folder, sumsName), lines.join(''));
  return [...names, sumsName];
}

interface Sbom {
  metadata: { component: { name: string; 'bom-ref': string } };
  components: { 'bom-ref': string; properties?: { name: string }[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/**
 * What the app is made of, in the CycloneDX format: production packages, what is in the bundles, and Electron.
 * @param output the folder of the bundles
 * @throws Error if npm can't list it, or there is no build
 */
export function createSbom(output: string): string {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  const options = { cwd: projectRoot, encoding: 'utf8', maxBuffer: 1 << 26 } as const;
  const { npm_execpath: npm } = process.env;
  const { status, stdout, stderr, error } =
    npm === undefined
      ? spawnSync('npm', args, options)
      : spawnSync(process.execPath, [npm, ...args], options);
  if (status !== 0) throw new Error(`npm sbom failed.\n${error?.message ?? stderr}`);
  const sbom = JSON.parse(stdout) as Sbom;
  const { component } = sbom.metadata;
  // npm names it after the folder.
  component.name = 'doctray';
  const folders = [...productionPackages(), ...bundledPackages(projectRoot, output), 'node_modules/electron'];
  const shipped = new Set(packageIds(folders, projectRoot));
  sbom.components = sbom.components.filter((one) => shipped.has(one['bom-ref']));
  const listed = new Set(sbom.components.map((one) => one['bom-ref']));
  const unlisted = [...shipped].filter((id) => !listed.has(id));
  if (unlisted.length > 0) throw new Error(`npm sbom doesn't list ${unlisted.join(', ')}.`);
  for (const one of sbom.components) {
    // To npm, what Vite bundles is for development.
    one.properties = one.properties?.filter(({ name }) => name !== 'cdx:npm:package:development') ?? [];
  }
  sbom.dependencies = sbom.dependencies
    .filter(({ ref }) => shipped.has(ref) || ref === component['bom-ref'])
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => shipped.has(one)) }));
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

async function main(): Promise<void> {
  const { tag, folder } = parseReleaseArguments(process.argv.slice(2), process.env);
  const version = ownVersion();
  checkTag(tag, version);
  releaseNotes(readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8'), version);
  if (folder === undefined) return;
  for (const name of await addReleaseFiles(folder, version, createSbom(join(projectRoot, 'out'))))
    process.stdout.write(`${name}\n`);
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
