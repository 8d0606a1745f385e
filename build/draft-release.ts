// Creates a draft release on GitHub with the files in DIR: `npm run draft-release -- DIR`, after `npm run release-files -- DIR`. Its
// notes are the version's section of the changelog. Needs the GitHub CLI, and its token in GH_TOKEN.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseReleaseArguments, ownVersion, releaseNotes } from './release-files.ts';

/** Arguments for the GitHub CLI, which reads the notes from its input. */
function draftArguments(tag: string, files: readonly string[]): string[] {
  const options = ['--draft', '--verify-tag', '--title', `DocTray ${tag.slice(1)}`, '--notes-file', '-'];
  return ['release', 'create', tag, ...options, ...(tag.includes('-') ? ['--prerelease'] : []), ...files];
}

function main(): number {
  const { tag, folder } = parseReleaseArguments(process.argv.slice(2), process.env);
  if (folder === undefined) throw new Error('Name the folder with the files: npm run draft-release -- DIR');
  const input = releaseNotes(
    readFileSync(join(import.meta.dirname, '..', 'CHANGELOG.md'), 'utf8'),
    ownVersion(),
  );
  const files = readdirSync(folder).map((name) => join(folder, name));
  const { status, error } = spawnSync('gh', draftArguments(tag, files), {
    input,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  if (error !== undefined) throw new Error(`The GitHub CLI (gh) couldn't be started: ${error.message}`);
  return status ?? 1;
}

if (import.meta.main) {
  try {
    process.exitCode = main();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
