// What the commands about document servers on this computer answer, as text for people.

import {
  documentServerNames,
  engineHelpUrls,
  type ContainerEngineState,
  type DetectedServer,
  type DocumentServerStart,
} from '../contract/document-servers.ts';
import { formatSize } from '../contract/format-size.ts';
import { listOr, orNone, type Shower } from './shower.ts';
import { safeText } from './table.ts';

type DocumentServerCommand =
  | 'editors.detect'
  | 'documentServers.refresh'
  | 'documentServers.start'
  | 'documentServers.progress'
  | 'documentServers.command'
  | 'documentServers.cancel'
  | 'documentServers.stop';

export const showDocumentServers: { [Name in DocumentServerCommand]: Shower<Name> } = {
  'editors.detect': ({ servers }) =>
    listOr(
      'No document server found on this computer. Start one with `editors start collabora` or `editors start onlyoffice`.',
      ['ADDRESS', 'PRODUCT', 'CONTAINER', 'STATE'],
      servers.map((server) => [
        server.url,
        [server.product ?? 'a document server', server.version].filter((part) => part !== null).join(' '),
        orNone(server.container),
        detectedText(server),
      ]),
    ),
  'documentServers.refresh': ({ engines, servers }) =>
    [
      ...(engines ?? []).map((engine) => safeText(engineText(engine))),
      listOr(
        'DocTray isn’t running a document server.',
        ['PRODUCT', 'CONTAINER', 'STATE', 'ADDRESS', 'IMAGE'],
        servers.map(({ product, container, state, url, image }) => [
          documentServerNames[product],
          container,
          state,
          orNone(url),
          image,
        ]),
      ),
    ].join('\n'),
  'documentServers.start': (start) => startText(start),
  'documentServers.progress': (start) => startText(start),
  'documentServers.command': ({ command }) => command,
  'documentServers.cancel': (start) => startText(start),
  'documentServers.stop': ({ product, container, isRemoved, isDataDeleted, disconnected }) =>
    [
      isRemoved
        ? `${documentServerNames[product]} was stopped, and its container ${container} was removed.`
        : `There was no container ${container}.`,
      ...disconnected.map((name) => safeText(`${name} was disconnected.`)),
      ...(isDataDeleted ? ['Its data was deleted.'] : []),
    ].join('\n'),
};

/** One line: what it does now, and how far it is. */
export function startText({ sentence, progress, error }: DocumentServerStart): string {
  const lines = [safeText(progress === null ? sentence : `${sentence} ${progressText(progress)}`)];
  const help = error?.help ?? null;
  if (help !== null) lines.push(engineHelpUrls[help]);
  return lines.join('\n');
}

function progressText({ done, total, unit }: NonNullable<DocumentServerStart['progress']>): string {
  if (unit === 'layers') return total === null ? `Layer ${done}.` : `${done} of ${total} layers.`;
  if (total === null) return `${formatSize(done)}.`;
  const percent = total === 0 ? 100 : Math.floor((done * 100) / total);
  return `${formatSize(done)} of ${formatSize(total)} (${percent} %).`;
}

function detectedText({ editorId, problem }: DetectedServer): string {
  if (editorId !== null) return `connected (${editorId})`;
  return problem === null ? 'not connected' : `${problem.sentence} ${problem.remedy}`;
}

function engineText({ sentence, remedy, help }: ContainerEngineState): string {
  const parts = [sentence, remedy, help === null ? null : engineHelpUrls[help]];
  return parts.filter((part) => part !== null).join(' ');
}
