// How the window describes connected editors and document servers of this computer: what they are, their state, what they open, how far a start is.

import {
  containerEngineTitles,
  type ContainerEngineState,
  type DetectedServer,
  type EngineHelp,
} from '../../../app/contract/document-servers.ts';
import {
  remedyOf,
  testOutcome,
  type EditorItem,
  type EditorKind,
  type EditorType,
} from '../../../app/contract/editors.ts';
import { currentLocale, t } from '../../../app/contract/messages.ts';
import type { IconName } from '../../kit/icon-shapes.ts';

const kinds: Record<EditorKind, string> = {
  onlyoffice: 'ONLYOFFICE Docs',
  collabora: 'Collabora Online',
  'office-online': 'Office Online Server',
  'text-editor': t('window.built-in-text-editor'),
  other: t('window.editor-with-wopi'),
};

/** `Collabora Online Development Edition 25.04`; `Version 25.04` where its name is the product. */
export function productOf(
  editor: Pick<EditorItem, 'kind' | 'product' | 'version'> & { name?: string },
): string {
  const { version } = editor;
  const product = editor.product ?? kinds[editor.kind];
  if (version === null) return product;
  return product === editor.name ? t('window.version-number', { version }) : `${product} ${version}`;
}

/** What the built-in text editor opens, in short. */
export const builtInSummary = t('window.opens-text-markdown-and-csv');

export function isBuiltIn({ kind }: Pick<EditorItem, 'kind'>): boolean {
  return kind === 'text-editor';
}

/** The document servers among them. */
export function officeEditors<Editor extends Pick<EditorItem, 'kind'>>(editors: readonly Editor[]): Editor[] {
  return editors.filter((editor) => !isBuiltIn(editor));
}

export interface EditorStatus {
  kind: 'unreachable' | 'failed' | 'warned' | 'good' | 'untested';
  tone: 'good' | 'warn' | 'bad' | 'muted';
  icon: IconName;
  /** `Works` */
  state: string;
}

/** @param isUsed a session uses it: proof that both reach each other */
export function editorStatus(
  editor: Pick<EditorItem, 'kind' | 'problem' | 'lastTest'>,
  isUsed = false,
): EditorStatus {
  const { problem, lastTest } = editor;
  if (problem !== null)
    return {
      kind: 'unreachable',
      tone: 'bad',
      icon: 'error',
      state: isBuiltIn(editor) ? t('window.not-available') : t('window.cant-be-reached'),
    };
  if (lastTest === null && (isUsed || isBuiltIn(editor)))
    return { kind: 'good', tone: 'good', icon: 'good', state: t('window.works') };
  if (lastTest === null)
    return { kind: 'untested', tone: 'muted', icon: 'info', state: t('window.not-tested-yet') };
  const outcome = testOutcome(lastTest);
  if (outcome === 'partial')
    return { kind: 'warned', tone: 'warn', icon: 'warning', state: t('window.partly-tested') };
  if (outcome === 'failed')
    return { kind: 'failed', tone: 'bad', icon: 'error', state: t('window.test-failed') };
  const isWarned = lastTest.steps.some(({ state }) => state === 'warned');
  return isWarned
    ? { kind: 'warned', tone: 'warn', icon: 'warning', state: t('window.works-with-a-warning') }
    : { kind: 'good', tone: 'good', icon: 'good', state: t('window.works') };
}

/** Why its last connection test failed, and what to do. */
export function failedWords({ lastTest }: Pick<EditorItem, 'lastTest'>) {
  const failed = lastTest?.steps.find(({ state }) => state === 'failed');
  return {
    sentence: failed?.sentence ?? t('window.its-last-connection-test-failed'),
    remedy: (failed && remedyOf(failed)) ?? '',
    /** Another address of DocTray may be the remedy. */
    isAboutAddress: failed?.name === 'callback',
  };
}

/** What an editor does with a type, the most first. */
export type Ability = 'edit' | 'convert' | 'view';

function abilityOf({ actions }: EditorType): Ability | undefined {
  if (actions.includes('edit') || actions.includes('editnew')) return 'edit';
  if (actions.includes('convert')) return 'convert';
  return actions.includes('view') ? 'view' : undefined;
}

export function abilityFor(editor: Pick<EditorItem, 'types'>, extension: string): Ability | undefined {
  const type = editor.types.find((one) => one.extension === extension);
  return type === undefined ? undefined : abilityOf(type);
}

/** Its types by what it does with them, each in the order of the alphabet. */
export function typesByAbility(types: readonly EditorType[]): Record<Ability, string[]> {
  const groups: Record<Ability, string[]> = { edit: [], convert: [], view: [] };
  for (const type of types) {
    const ability = abilityOf(type);
    if (ability !== undefined) groups[ability].push(type.extension);
  }
  for (const extensions of Object.values(groups)) extensions.sort();
  return groups;
}

const lists = new Intl.ListFormat(currentLocale(), { type: 'conjunction' });

/** `A`, `A and B`, `A, B and C` */
export function listed(names: readonly string[]): string {
  return lists.format(names);
}

export const helpTitles: Record<EngineHelp, string> = {
  'docker-install': t('window.get-docker'),
  'docker-start': t('window.docker-guide'),
  'docker-permission': t('window.docker-guide'),
  'docker-trouble': t('window.docker-troubleshooting'),
  'podman-install': t('window.get-podman'),
  'podman-start': t('window.podman-guide'),
  'podman-trouble': t('window.podman-troubleshooting'),
};

/** `Collabora Online Development Edition 25.04.6`; where it could not be read, only that something is there. */
export function detectedTitle({ kind, product, version }: DetectedServer): string {
  return kind === null ? (product ?? t('window.document-server')) : productOf({ kind, product, version });
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

interface EngineAdvice {
  sentence: string;
  help: EngineHelp | null;
}

/** What to do before a document server can be started here; null where Docker or Podman is ready. */
export function engineAdvice(engines: readonly ContainerEngineState[]): EngineAdvice | null {
  if (engines.some(({ status }) => status === 'ready')) return null;
  const nearest = engines.find(({ status }) => status !== 'missing');
  if (nearest === undefined) {
    return {
      sentence: t('window.install-docker-or-podman-and'),
      help: 'docker-install',
    };
  }
  const { sentence, remedy, help } = nearest;
  return { sentence: remedy === null ? sentence : `${sentence} ${remedy}`, help };
}

/** `Runs in Docker after a download.` */
export function startHint(engines: readonly ContainerEngineState[], isDownloaded: boolean): string {
  const ready = engines.find(({ status }) => status === 'ready');
  if (ready === undefined) return t('window.runs-on-this-computer-in');
  const engine = containerEngineTitles[ready.name];
  return isDownloaded
    ? t('window.runs-in-engine', { engine })
    : t('window.runs-in-engine-after-a', { engine });
}
