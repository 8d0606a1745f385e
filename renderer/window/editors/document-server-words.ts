// Document servers of this computer in words: what was found, what keeps Docker and Podman from running one, how far a start is.

import { t } from '../../../app/contract/messages.ts';
import {
  containerEngineTitles,
  type ContainerEngineState,
  type DetectedServer,
  type DocumentServerStart,
  type EngineHelp,
} from '../../../app/contract/document-servers.ts';
import type { EditorItem } from '../../../app/contract/editors.ts';
import { formatCount, formatPercent, formatSize } from '../../../app/contract/format.ts';
import { productOf } from './words.ts';

export const helpTitles: Record<EngineHelp, string> = {
  'docker-install': t('Get Docker'),
  'docker-start': t('Docker guide'),
  'docker-permission': t('Docker guide'),
  'docker-trouble': t('Docker troubleshooting'),
  'podman-install': t('Get Podman'),
  'podman-start': t('Podman guide'),
  'podman-trouble': t('Podman troubleshooting'),
};

/** `Collabora Online Development Edition 25.04.6`; where it could not be read, only that something is there. */
export function detectedTitle({ kind, product, version }: DetectedServer): string {
  return kind === null ? (product ?? t('Document server')) : productOf({ kind, product, version });
}

/** What was found and isn't connected; `editorId` is from the time of the search, and editors come and go. */
export function notConnected(
  servers: readonly DetectedServer[],
  editors: readonly Pick<EditorItem, 'id' | 'url'>[],
): DetectedServer[] {
  return servers.filter(
    ({ url, editorId }) => !editors.some((editor) => editor.id === editorId || editor.url === url),
  );
}

export interface EngineAdvice {
  sentence: string;
  help: EngineHelp | null;
}

/** What to do before a document server can be started here; null where Docker or Podman is ready. */
export function engineAdvice(engines: readonly ContainerEngineState[]): EngineAdvice | null {
  if (engines.some(({ status }) => status === 'ready')) return null;
  const nearest = engines.find(({ status }) => status !== 'missing');
  if (nearest === undefined) {
    return {
      sentence: t('Install Docker or Podman, and DocTray can start Collabora or ONLYOFFICE for you.'),
      help: 'docker-install',
    };
  }
  const { sentence, remedy, help } = nearest;
  return { sentence: remedy === null ? sentence : `${sentence} ${remedy}`, help };
}

export interface ShownProgress {
  /** 0 to 1; null when it isn't known how much is left. */
  value: number | null;
  /** `34% · 412 MB of 1.2 GB`; empty where nothing is known. */
  text: string;
}

export function progressOf({ progress }: Pick<DocumentServerStart, 'progress'>): ShownProgress {
  if (progress === null) return { value: null, text: '' };
  const { done, total, unit } = progress;
  if (total === null || total <= 0) {
    return { value: null, text: unit === 'bytes' && done > 0 ? formatSize(done) : '' };
  }
  const value = Math.min(1, done / total);
  const amounts =
    unit === 'bytes'
      ? t('{done} of {total}', { done: formatSize(done), total: formatSize(total) })
      : t('{done} of {total, plural, one {# layer} other {# layers}}', { done: formatCount(done), total });
  return { value, text: `${formatPercent(value)} · ${amounts}` };
}

/** `Runs here in Docker. The first start downloads it.` */
export function startHint(engines: readonly ContainerEngineState[]): string {
  const ready = engines.find(({ status }) => status === 'ready');
  return ready === undefined
    ? t('Runs on this computer in a container. The first start downloads it.')
    : t('Runs on this computer in {engine}. The first start downloads it.', {
        engine: containerEngineTitles[ready.name],
      });
}
