// Quick open: documents, actions and settings by their names, with the keyboard. Without a query, the documents that were open last.

import { useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import {
  Autocomplete,
  Collection,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
  Text,
} from 'react-aria-components';
import { t } from '../../app/contract/messages.ts';
import { stemOf } from '../../app/contract/names.ts';
import { viewNames } from '../../app/contract/pushes.ts';
import type { TemplateItem } from '../../app/contract/results.ts';
import type { LockItem } from '../../app/contract/state.ts';
import { useOpening } from './documents/opening.tsx';
import { iconOf } from './documents/rows.tsx';
import { useDocumentSearch } from './documents/search.ts';
import { viewTitles } from './frame.tsx';
import { useForceClear } from './locks/force-clear.tsx';
import { lockWords } from './locks/words.ts';
import { useAction, useCommandResult, useTask } from './parts/action.tsx';
import { matchRank, splitPath } from './parts/format.ts';
import type { IconName } from '../kit/icon-shapes.ts';
import { Icon } from '../kit/icon.tsx';
import { foundParts, MarkedText } from '../kit/file-name.tsx';
import { paneIds, paneTitles, searchSettings } from './settings/catalog.ts';
import { keyWords } from '../kit/keys.ts';
import { errorOf } from './state/call.ts';
import { useNavigation, useWindowState } from './state/window-context.tsx';

interface Entry {
  id: string;
  icon: IconName;
  title: string;
  /** Muted, at the end: the folder of a document, the pane of a setting. */
  aside?: string;
  /** Of a document that is being edited. */
  lock?: LockItem;
  keys?: string;
  run(): void;
}

const mostDocuments = 8;
const mostActions = 6;
const mostSettings = 5;
const none: readonly TemplateItem[] = [];
/** For the name of a new document. */
const mostTries = 50;

/** Drawn also while it is closed: a dialog that an entry opens outlives it. */
export function QuickOpen(props: { isOpen: boolean; isMac: boolean; onClose(): void }) {
  const opening = useOpening();
  const templates = useTemplates(props.isOpen);
  return (
    <>
      <ModalOverlay
        className="dialog-veil quick-veil"
        isOpen={props.isOpen}
        isDismissable
        onOpenChange={(isOpen) => {
          if (!isOpen) props.onClose();
        }}
      >
        <Modal className="quick">
          <Dialog className="quick-dialog" aria-label={t('window.quick-open')}>
            <Palette
              isMac={props.isMac}
              templates={templates}
              onClose={props.onClose}
              open={(path) => opening.open(path, 'edit')}
            />
          </Dialog>
        </Modal>
      </ModalOverlay>
      {opening.dialogs}
    </>
  );
}

interface PaletteProps {
  isMac: boolean;
  templates: readonly TemplateItem[];
  onClose(): void;
  open(path: string): Promise<void>;
}

function Palette(props: PaletteProps) {
  const [query, setQuery] = useState('');
  const documents = useDocuments(query, props.open);
  const actions = useActions(query, props);
  const settings = useSettings(query);
  const sections = [
    {
      id: 'documents',
      title: query.trim() === '' ? t('window.recent-documents') : t('common.documents'),
      entries: documents,
    },
    { id: 'actions', title: t('window.actions'), entries: actions },
    { id: 'settings', title: t('common.settings'), entries: settings },
  ]
    .filter(({ entries }) => entries.length > 0)
    .map((section) => ({
      ...section,
      rank: Math.min(...section.entries.map((entry) => rankOf(entry, query))),
    }))
    .toSorted((a, b) => a.rank - b.rank);
  const run = (entry: Entry | undefined) => {
    props.onClose();
    entry?.run();
  };
  const entries = sections.flatMap((section) => section.entries);
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || (event.key !== 'Escape' && event.key !== 'Enter')) return;
    // React Aria would only clear the text.
    if (event.key === 'Escape') {
      event.stopPropagation();
      props.onClose();
      return;
    }
    // After typing, React Aria marks the first result in a later frame, and its Enter may go to a result that is gone.
    const marked = list.current?.querySelector<HTMLElement>('[data-focused][data-key]')?.dataset.key;
    const entry = entries.find(({ id }) => id === marked) ?? entries[0];
    if (entry === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    run(entry);
  };
  return (
    <Autocomplete inputValue={query} onInputChange={setQuery}>
      <SearchField
        className="quick-search"
        aria-label={t('window.search-documents-actions-and-settings')}
        autoFocus
      >
        <Icon name="search" />
        <Input
          className="grow quick-input"
          placeholder={t('window.search-documents-actions-and-settings')}
          onKeyDownCapture={onKeyDown}
        />
      </SearchField>
      <Menu
        className="menu quick-list"
        aria-label={t('window.results')}
        ref={list}
        onAction={(key) => run(entries.find(({ id }) => id === key))}
        renderEmptyState={() => <p className="quick-empty">{t('window.nothing-found')}</p>}
      >
        {sections.map((section) => (
          <MenuSection key={section.id} id={section.id}>
            <Header className="quick-header">{section.title}</Header>
            <Collection items={section.entries} dependencies={[query]}>
              {(entry) => <Item entry={entry} query={query} />}
            </Collection>
          </MenuSection>
        ))}
      </Menu>
      <p className="quick-keys" aria-hidden="true">
        <span>
          <kbd className="key">↑</kbd> <kbd className="key">↓</kbd> {t('window.select')}
        </span>
        <span>
          <kbd className="key">{keyWords('Enter', props.isMac)}</kbd> {t('common.open')}
        </span>
        <span>
          <kbd className="key">Esc</kbd> {t('common.close')}
        </span>
      </p>
      <p className="visually-hidden" role="status">
        {t('window.count-results', { count: entries.length })}
      </p>
    </Autocomplete>
  );
}

/** What fits better comes first: documents are also found by letters of their name in between others. */
function rankOf({ id, title, aside }: Entry, query: string): number {
  if (!id.startsWith('document ')) return matchRank(title, query);
  return Math.min(matchRank(stemOf(title), query), matchRank(`${aside ?? ''} ${title}`, query));
}

function Item({ entry, query }: { entry: Entry; query: string }): ReactNode {
  return (
    <MenuItem
      id={entry.id}
      textValue={entry.aside === undefined ? entry.title : `${entry.title} ${entry.aside}`}
      className="line menu-item quick-item"
    >
      <span className="menu-icon">
        <Icon name={entry.icon} />
      </span>
      <Text slot="label" className="grow menu-title quick-title">
        <span>
          <MarkedText text={entry.title} found={foundParts(entry.title, query)} />
        </span>
        {entry.aside !== undefined && <span className="quick-aside"> {entry.aside}</span>}
        {entry.lock !== undefined && (
          <span className={`quick-lock tone-${entry.lock.state === 'stale' ? 'warn' : 'info'}`}>
            {' '}
            <Icon name={entry.lock.state === 'stale' ? 'warning' : 'edit'} size={14} />
            <span className="cut">{lockWords(entry.lock)}</span>
          </span>
        )}
      </Text>
      {entry.keys !== undefined && <kbd className="menu-keys">{entry.keys}</kbd>}
    </MenuItem>
  );
}

const searchFor = { count: mostDocuments, pauseMs: 80 };

function useDocuments(query: string, open: (path: string) => Promise<void>): Entry[] {
  const recent = useWindowState((state) => state.recent);
  const locks = useWindowState((state) => state.locks);
  const hasFolder = useWindowState(({ host }) => host.folder !== null);
  const { text, result, isSearching } = useDocumentSearch(hasFolder ? query : '', searchFor);
  return useMemo(() => {
    const words = query.trim().toLowerCase().split(/\s+/u);
    const fits = (path: string) => words.every((word) => path.toLowerCase().includes(word));
    const found = text === '' ? [] : (result?.items.filter(({ kind }) => kind === 'document') ?? []);
    // Until the search answers, what was found for another text stays only if it fits: Enter opens the first.
    const recentPaths = recent.map(({ path }) => path).filter(fits);
    const foundPaths = found.map(({ path }) => path).filter((path) => !isSearching || fits(path));
    return [...new Set([...recentPaths, ...foundPaths])].slice(0, mostDocuments).map((path) => {
      const { name, folder } = splitPath(path);
      const lock = locks.find((one) => one.path === path);
      return {
        id: `document ${path}`,
        icon: iconOf({ kind: 'document', name }),
        title: name,
        ...(folder !== '' && { aside: folder }),
        ...(lock !== undefined && { lock }),
        run: () => void open(path),
      };
    });
  }, [query, text, recent, locks, result, isSearching, open]);
}

function useActions(query: string, props: PaletteProps): Entry[] {
  const { go } = useNavigation();
  const host = useWindowState((state) => state.host);
  const locks = useWindowState((state) => state.locks);
  const isInBrowser = useWindowState((state) => state.app.isInBrowser);
  const forceClear = useForceClear();
  const pause = useAction('host.pause', { failure: t('window.couldnt-pause') });
  const resume = useAction('host.resume', { failure: t('window.couldnt-resume') });
  const openFolder = useAction('host.openFolder', { failure: t('window.couldnt-open-the-folder') });
  const help = useAction('app.openHelp', { failure: t('window.couldnt-open-the-page') });
  const create = useCreate(props.templates, props.open);
  const stale = locks.filter(({ state }) => state === 'stale');
  const action = (id: string, icon: IconName, title: string, run: () => unknown, keys?: string): Entry => ({
    id,
    icon,
    title,
    ...(keys !== undefined && { keys }),
    run: () => void run(),
  });
  const keysOf = (index: number) => (props.isMac ? `⌘${index + 1}` : keyWords(`Ctrl+${index + 1}`, false));
  const entries = [
    stale.length > 0 &&
      action('force-clear', 'unlock', t('window.force-clear-stale-locks', { count: stale.length }), () =>
        forceClear(stale),
      ),
    ...create,
    host.status === 'paused' && action('resume', 'play', t('common.resume'), () => resume.run({})),
    host.status === 'serving' &&
      action('pause', 'pause', t('window.pause-for-30-minutes'), () => pause.run({ minutes: 30 })),
    host.folder !== null &&
      !isInBrowser &&
      action('folder', 'folder', t('common.open-folder'), () => openFolder.run({})),
    action('connect', 'plus', t('window.connect-document-server'), () => go('settings', 'editors/connect')),
    ...viewNames.map((view, index) =>
      action(
        `view ${view}`,
        view,
        t('window.go-to-view', { view: viewTitles[view] }),
        () => go(view),
        keysOf(index),
      ),
    ),
    action('diagnostics', 'shield', t('window.check-doctray'), () => go('settings', 'diagnostics')),
    action('help', 'help', t('common.help'), () => help.run({ page: 'start' })),
  ].filter((entry) => entry !== false);
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
  const found = entries.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  return words.length === 0 ? found.slice(0, mostActions) : found;
}

/** The templates are kept, so that they're there as soon as the dialog opens again. */
function useTemplates(isOpen: boolean): readonly TemplateItem[] {
  const hasFolder = useWindowState(({ host }) => host.folder !== null);
  return useCommandResult('documents.templates', hasFolder && isOpen ? {} : undefined).answer ?? none;
}

/** A new document of each template, at the top of the folder, with the next free name. */
function useCreate(templates: readonly TemplateItem[], open: (path: string) => Promise<void>): Entry[] {
  const { run } = useTask(
    async (call, { id, extension }: TemplateItem) => {
      const ending = extension.startsWith('.') ? extension : `.${extension}`;
      for (let number = 1; ; number += 1) {
        const stem = number === 1 ? t('window.untitled') : t('window.untitled-number', { number });
        const name = `${stem}${ending}`;
        try {
          const { path } = await call('documents.create', { folderPath: '', template: id, name });
          return await open(path);
        } catch (error) {
          if (errorOf(error).code !== 'name-taken' || number === mostTries) throw error;
        }
      }
    },
    { failure: ({ title }) => t('window.couldnt-create-title', { title }) },
  );
  return templates.map((template) => ({
    id: `new ${template.id}`,
    icon: iconOf({ kind: 'document', name: `a.${template.extension.replace(/^\./u, '')}` }),
    title: t('window.new-title', { title: template.title }),
    run: () => void run(template),
  }));
}

function useSettings(query: string): Entry[] {
  const { go } = useNavigation();
  const isInBrowser = useWindowState((state) => state.app.isInBrowser);
  return useMemo(() => {
    const words = query.trim().toLowerCase();
    if (words === '') return [];
    const panes = paneIds.filter((id) => paneTitles[id].toLowerCase().includes(words));
    const found = [
      ...panes.map((id) => ({ id, kind: 'pane', title: paneTitles[id] })),
      ...searchSettings(query, isInBrowser).map(({ id, label, pane }) => {
        return { id, kind: 'setting', title: label, aside: paneTitles[pane] };
      }),
    ];
    return found.slice(0, mostSettings).map(({ id, kind, ...words }) => {
      return { id: `${kind} ${id}`, icon: 'settings', ...words, run: () => go('settings', id) };
    });
  }, [query, isInBrowser, go]);
}
