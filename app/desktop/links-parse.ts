// What the app was asked for from outside, taken apart: `doctray:` links, files, and what a second launch was given. Any web page
// and any program may send these, so only what is listed here is understood, and all it can do is lead to a place in the window.

import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { viewNames, type ViewName } from '../contract/pushes.ts';

export type LinkRequest =
  | { to: 'view'; view: ViewName }
  /** A document by its path inside the hosted folder. */
  | { to: 'document'; path: string; mode: 'edit' | 'view' }
  /** A file of this machine, by its absolute path; perhaps outside the folder, perhaps not there. */
  | { to: 'file'; absolute: string };

/** What a launch was given besides options, of the first process or of a second one. */
export interface LaunchTargets {
  targets: readonly string[];
  /** What relative paths start from. */
  cwd: string;
}

const scheme = 'doctray:';
const longestLink = 8192;
const longestPath = 4096;
const mostTargets = 1000;

/**
 * `doctray://open?path=Reports/Letter.docx&mode=view`, `doctray://locks` and the other views; `mode` is `edit` unless it is given.
 * @returns undefined for everything else
 */
export function parseLink(text: string): LinkRequest | undefined {
  if (text.length > longestLink) return undefined;
  const url = URL.parse(text);
  if (url === null || url.protocol !== scheme) return undefined;
  const isPlain = url.username === '' && url.password === '' && url.port === '' && url.hash === '';
  if (!isPlain || (url.pathname !== '' && url.pathname !== '/')) return undefined;

  const { searchParams } = url;
  const names = [...searchParams.keys()];
  if (url.hostname === 'open') {
    const isKnown = names.every((name) => name === 'path' || name === 'mode');
    const path = searchParams.get('path') ?? '';
    const mode = searchParams.get('mode') ?? 'edit';
    if (!isKnown || new Set(names).size !== names.length) return undefined;
    if (!isInnerPath(path) || (mode !== 'edit' && mode !== 'view')) return undefined;
    return { to: 'document', path, mode };
  }
  const view = viewNames.find((name) => name === url.hostname);
  return view === undefined || names.length > 0 ? undefined : { to: 'view', view };
}

/** Cannot lead out of a folder, on any system. What lies there is for the folder to say. */
function isInnerPath(path: string): boolean {
  if (path === '' || path.length > longestPath || !path.isWellFormed()) return false;
  if (/[\p{Cc}\\]/u.test(path) || /^[a-z]:/iu.test(path)) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

/** Links and files; what is not understood is left out. */
export function linkRequests({ targets, cwd }: LaunchTargets): LinkRequest[] {
  return targets.slice(0, mostTargets).flatMap((target) => requestOf(target, cwd) ?? []);
}

function requestOf(target: string, cwd: string): LinkRequest | undefined {
  if (target === '' || target.includes('\0') || target.length > longestLink) return undefined;
  if (/^doctray:/iu.test(target)) return parseLink(target);
  if (/^file:/iu.test(target)) return fileOf(target);
  // Another program's link: no file has such a name by accident.
  if (/^[a-z][a-z0-9+.-]+:\/\//iu.test(target)) return undefined;
  return { to: 'file', absolute: resolve(cwd, target) };
}

/** As file managers give them. A file of another machine is none of ours: looking for it would speak to that machine. */
function fileOf(text: string): LinkRequest | undefined {
  const url = URL.parse(text);
  if (url === null || (url.hostname !== '' && url.hostname !== 'localhost')) return undefined;
  if (url.pathname.startsWith('//')) return undefined;
  url.hostname = '';
  try {
    const absolute = fileURLToPath(url);
    return absolute.includes('\0') ? undefined : { to: 'file', absolute };
  } catch {
    return undefined;
  }
}
