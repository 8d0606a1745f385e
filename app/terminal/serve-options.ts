// The command-line options of `serve`, `start` and the desktop app. They are validated before anything starts.

import { resolve } from 'node:path';
import { t } from '../contract/messages.ts';
import { findSettingFault } from '../settings/settings-schema.ts';
import { UsageError } from './exit-code.ts';

export interface ServeOptions {
  folder?: string;
  data?: string;
  host?: string;
  port?: string;
  publicUrl?: string;
  owner?: string;
  json?: boolean;
  /** False with --no-open: `start` opens no browser. */
  open?: boolean;
  /** `start` passes it on to Chromium. */
  disableGpu?: boolean;
}

/** Options that override the settings; paths are absolute. */
export interface ChosenOptions {
  folder?: string;
  host?: string;
  port?: number;
  publicUrl?: string;
}

/** Resolves relative paths from `cwd`. @throws UsageError */
export function checkOptions(options: ServeOptions, cwd: string): ChosenOptions {
  const chosen: ChosenOptions = {};
  if (options.folder !== undefined) chosen.folder = resolve(cwd, options.folder);
  if (options.port !== undefined) {
    const port = /^\d{1,5}$/.test(options.port) ? Number(options.port) : -1;
    if (port < 0 || port > 65_535) throw new UsageError(t('terminal.port-range'));
    chosen.port = port;
  }
  if (options.host !== undefined) chosen.host = options.host;
  if (options.publicUrl !== undefined) chosen.publicUrl = options.publicUrl.replace(/\/+$/, '');

  const { host, publicUrl } = chosen;
  const fault = findSettingFault({ host, publicUrl });
  const flag = fault?.key === 'host' ? '--host' : '--public-url';
  if (fault !== undefined) throw new UsageError(`${flag}: ${fault.sentence}`);
  return chosen;
}
