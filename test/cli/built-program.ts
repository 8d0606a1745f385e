// The terminal's entry of the built app, which starts in two thirds of the processor time of its sources.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { buildWhereNeeded } from '../../app/terminal/start-build.ts';

export const projectRoot = join(import.meta.dirname, '..', '..');

export async function buildApp(): Promise<void> {
  const fault = await buildWhereNeeded({ projectRoot, env: process.env });
  assert.equal(fault, undefined, 'the build failed');
}

let built: Promise<void> | undefined;

/** Builds it if a source is newer. With RUN_SOURCES, it's the sources', whose lines are to be measured or changed. */
export async function programEntry(): Promise<string> {
  if (process.env['RUN_SOURCES'] !== undefined) return join(projectRoot, 'app', 'cli.ts');
  await (built ??= buildApp());
  return join(projectRoot, 'out', 'main', 'cli.js');
}
