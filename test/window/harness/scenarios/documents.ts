// Hosted folders for the Documents view: a typical one, one with 10,000 documents, an empty one. They list, search and change
// as in the host (app/documents/folder-view.ts).

import { sortKey } from '../../../../app/contract/name-order.ts';
import type { DocumentItem, VersionItem } from '../../../../app/contract/results.ts';
import { createBasicAnswers } from '../basic-answers.ts';
import { makeCollabora, makeEditor } from '../editors.ts';
import { FakeRefusal, type Answers, type Scenario } from '../fake-host.ts';
import {
  day,
  hour,
  makeLock,
  makeOrphanLock,
  makeQuietState,
  makeSilentLock,
  minute,
  pathOf,
} from '../rows.ts';

interface Tree {
  items(folder: string): DocumentItem[];
  all(): DocumentItem[];
  add(item: DocumentItem): void;
  remove(path: string): DocumentItem | undefined;
}

function parentOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function createTree(start: DocumentItem[]): Tree {
  let all = start;
  return {
    items: (folder) => all.filter(({ path }) => parentOf(path) === folder),
    all: () => all,
    add: (item) => void (all = [...all, item]),
    remove: (path) => {
      const item = all.find((one) => one.path === path);
      all = all.filter((one) => one !== item);
      return item;
    },
  };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sorted(items: DocumentItem[]): DocumentItem[] {
  const compare = (a: DocumentItem, b: DocumentItem) =>
    compareText(sortKey(a.name), sortKey(b.name)) || compareText(a.name, b.name);
  const inOrder = (kind: DocumentItem['kind']) =>
    items.filter((item) => item.kind === kind).toSorted(compare);
  return [...inOrder('folder'), ...inOrder('document')];
}

function makeDocument(
  path: string,
  over: Partial<Extract<DocumentItem, { kind: 'document' }>>,
): DocumentItem {
  return {
    kind: 'document',
    fileId: `id of ${path}`,
    path,
    name: nameOf(path),
    size: 18_420,
    lastModifiedMs: 0,
    versionCount: 0,
    versionBytes: 0,
    ...over,
  };
}

function makeVersions({ size, lastModifiedMs }: { size: number; lastModifiedMs: number }): VersionItem[] {
  const how = ['explicit', 'unwritten', 'autosave,exit', null, 'explicit', 'autosave', 'restored'];
  const shares = [0.96, 0.92, 1.04, 0.84, 0.41, 0.4, 0.72];
  return how.map((savedHow, index) => ({
    id: `version${index}`,
    itemVersion: String(40 - index),
    size: Math.round(size * (shares[index] ?? 1)),
    keptAtMs: lastModifiedMs - index * 5 * hour - 8 * minute,
    writtenAtMs: lastModifiedMs - index * 5 * hour - 36 * minute,
    savedAtMs: index === 3 ? null : lastModifiedMs - index * 5 * hour - 36 * minute,
    savedBy: index === 3 ? null : index === 2 ? ['Ana Ruiz', 'Ben Okafor'] : ['Ana Ruiz'],
    savedHow,
  }));
}

/** Three changes: a word, two lines more, a line less. */
function comparedText(isCurrent: boolean): string {
  const minutes = Array.from({ length: 16 }, (_, index) => `- Point ${index + 1} of the minutes, as agreed.`);
  return isCurrent
    ? [
        'Dear council,',
        'the bridge is new.',
        ...minutes,
        '- The railing is painted in May.',
        '- It costs €4,200.',
      ]
        .concat(minutes.slice(0, 12), ['Ana'])
        .join('\n')
    : [
        'Dear council,',
        'the bridge is old.',
        ...minutes,
        ...minutes.slice(0, 12),
        'Greetings from the harbor,',
        'Ana',
      ].join('\n');
}

/** A folder with the documents that locks, sessions and requests are about: `file0` and so on. */
export function createFolderOfRows(
  count: number,
  nowMs: number,
): Pick<Answers, 'documents.list' | 'documents.search'> {
  const documents = Array.from({ length: count }, (_, index) =>
    makeDocument(pathOf(index), {
      fileId: `file${index}`,
      size: 6_200 + ((index * 7919) % 90_000),
      lastModifiedMs: nowMs - ((index * 37) % 4000) * minute,
      versionCount: index % 4,
    }),
  );
  const folderPaths = documents.flatMap(({ path }) =>
    path
      .split('/')
      .slice(0, -1)
      .map((_, depth, parts) => parts.slice(0, depth + 1).join('/')),
  );
  const folders = [...new Set(folderPaths)].map((path): DocumentItem => ({
    kind: 'folder',
    path,
    name: nameOf(path),
    lastModifiedMs: nowMs - 3 * hour,
  }));
  const answers = createDocumentAnswers(createTree([...folders, ...documents]), nowMs);
  const { 'documents.list': list, 'documents.search': search } = answers;
  if (list === undefined || search === undefined) throw new Error('No folder.');
  return { 'documents.list': list, 'documents.search': search };
}

function createDocumentAnswers(tree: Tree, nowMs: number): Answers {
  const requireFolder = (path: string) => {
    const isThere = path === '' || tree.all().some((item) => item.path === path && item.kind === 'folder');
    if (!isThere) throw new FakeRefusal('folder-unknown', 'This folder doesn’t exist in the hosted folder.');
  };
  let opened = 0;
  const trashed: DocumentItem[] = [];
  return {
    ...createBasicAnswers(),
    'documents.list': ({ path, startIndex, count }) => {
      requireFolder(path);
      const items = sorted(tree.items(path));
      return { path, startIndex, items: items.slice(startIndex, startIndex + count), total: items.length };
    },
    'documents.search': ({ text, count }) => {
      const all = tree.all();
      const hits = all.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
      return { items: hits.slice(0, count), isComplete: hits.length <= count, searched: all.length };
    },
    'documents.open': ({ path, mode }) => {
      opened += 1;
      return {
        fileId: `id of ${path}`,
        path,
        mode,
        wopiSrc: 'http://192.168.1.14:8790/wopi/files/3f9c0b7a52e14d06',
        accessToken: `secret${opened}-Zk3vQ0fWc8R5nJ1xT7bLmY2dHs9GpA4uEo6iKwXrN`,
        expiresAtMs: nowMs + 10 * hour,
      };
    },
    'documents.create': ({ folderPath, name }) => {
      const path = folderPath === '' ? name : `${folderPath}/${name}`;
      if (tree.all().some((item) => item.path === path)) {
        throw new FakeRefusal('name-taken', 'A document of this name is there already.');
      }
      tree.add(makeDocument(path, { size: 6_812, lastModifiedMs: Date.now() }));
      return { path };
    },
    'documents.createFolder': ({ folderPath, name }) => {
      const path = folderPath === '' ? name : `${folderPath}/${name}`;
      tree.add({ kind: 'folder', path, name, lastModifiedMs: Date.now() });
      return { path };
    },
    'documents.duplicate': ({ path }) => {
      const copy = path.replace(/(?=\.[^.]*$)/u, ' copy');
      tree.add(makeDocument(copy, { size: 6_812, lastModifiedMs: Date.now() }));
      return { path: copy };
    },
    'documents.rename': ({ path, name }) => {
      const item = tree.remove(path);
      if (item === undefined)
        throw new FakeRefusal('file-missing', 'This document doesn’t exist in the hosted folder.');
      const to = parentOf(path) === '' ? name : `${parentOf(path)}/${name}`;
      tree.add({ ...item, path: to, name });
      return { path: to };
    },
    'documents.move': ({ paths, folderPath, keepsBoth }, host) => {
      const done: { id: string; path: string; from: string }[] = [];
      const failed: { id: string; path: string; message: string; code?: string }[] = [];
      for (const from of paths) {
        const to = folderPath === '' ? nameOf(from) : `${folderPath}/${nameOf(from)}`;
        const lock = host.state.locks.find((one) => one.path === from);
        if (lock !== undefined) {
          const message = `The document is being edited. Close it in the editor, or force-clear its lock. ${lock.userName} has it open.`;
          failed.push({ id: from, path: from, message, code: 'file-locked' });
        } else if (to !== from && keepsBoth !== true && tree.all().some(({ path }) => path === to)) {
          const message = `“${nameOf(to)}” already exists there. Rename one of them, then try again.`;
          failed.push({ id: from, path: from, message, code: 'target-taken' });
        } else {
          const item = tree.remove(from);
          const path = keepsBoth === true ? to.replace(/(?=\.[^.]*$)/u, ' (1)') : to;
          if (item !== undefined) tree.add({ ...item, path, name: nameOf(path) });
          done.push({ id: from, path, from });
        }
      }
      return { done, failed };
    },
    'documents.undoTrash': () => {
      const done = trashed.map(({ path }) => ({ id: path, path, from: path }));
      for (const item of trashed.splice(0)) tree.add(item);
      return { done, failed: [] };
    },
    'documents.trash': ({ paths }, host) => {
      const isHeld = (path: string) => host.state.locks.some((lock) => lock.path === path);
      const removed = paths.filter((path) => !isHeld(path)).flatMap((path) => tree.remove(path) ?? []);
      trashed.push(...removed);
      return {
        done: removed.map(({ path }) => ({ id: path, path })),
        gone: paths.filter((path) => !isHeld(path) && !removed.some((item) => item.path === path)),
        failed: paths.filter(isHeld).map((path) => ({
          id: path,
          path,
          message: 'The document is being edited. Close it in the editor, or force-clear its lock.',
          code: 'file-locked',
        })),
        undo: removed.length === 0 ? null : { id: 'undo1', untilMs: Date.now() + 10_000 },
      };
    },
    'documents.import': ({ sources, folderPath }, host) => {
      const job = {
        id: 'import1',
        title: `Copying ${sources.length === 1 ? '1 file' : `${sources.length} files`} into ${folderPath || 'Documents'}`,
        done: 0,
        total: sources.length,
        unit: 'files' as const,
        canCancel: true,
        state: 'running' as const,
        sentence: null,
      };
      host.upsert('jobs', [job]);
      return { jobId: job.id };
    },
    'documents.colleagueLink': () => ({ url: null, settings: ['networkPages', 'host'], needsUser: true }),
    'versions.list': ({ path }) => {
      const document = tree.all().find((item) => item.path === path && item.kind === 'document');
      const { size, lastModifiedMs } =
        document?.kind === 'document' ? document : { size: 49_117, lastModifiedMs: nowMs - 4 * minute };
      return {
        path,
        fileId: `id of ${path}`,
        current: {
          itemVersion: '41',
          size,
          lastModifiedMs,
          savedAtMs: lastModifiedMs,
          savedBy: ['Ben Okafor'],
          savedHow: 'autosave',
        },
        versions: makeVersions({ size, lastModifiedMs }),
      };
    },
    'versions.open': ({ path }) => ({
      fileId: `id of ${path}`,
      path,
      mode: 'view',
      editorId: 'editor1',
      editorName: 'Office',
      openedIn: 'browser',
    }),
    'versions.text': ({ versionId }) => ({
      text: comparedText(versionId === null),
    }),
    'versions.saveCopy': ({ name = 'copy.docx' }) => {
      tree.add(makeDocument(name, { lastModifiedMs: Date.now() }));
      return { path: name };
    },
    'versions.restore': ({ path }) => ({ path, itemVersion: '42' }),
    'versions.usage': () => ({ count: 1_204, bytes: 3_654_112_870 }),
    'versions.cleanUp': (_args, host) => {
      const job = {
        id: 'cleanUp1',
        title: 'Cleaning up versions',
        done: 310,
        total: 1_204,
        unit: 'files' as const,
        canCancel: true,
        state: 'running' as const,
        sentence: null,
      };
      host.upsert('jobs', [job]);
      return { jobId: job.id };
    },
  };
}

/** Nested folders and documents of all kinds; two being edited, two with stale locks. */
function documents(nowMs: number): Scenario {
  const folders = [
    'Finance',
    'Finance/2026',
    'Finance/2026/Offers',
    'Finance/2026/Offers/Harbour bridge',
    'Letters',
    'Minutes',
    'Projects',
  ].map((path, index): DocumentItem => ({
    kind: 'folder',
    path,
    name: nameOf(path),
    lastModifiedMs: nowMs - index * 9 * hour,
  }));
  const at = (path: string, size: number, agoMs: number, versionCount = 0): DocumentItem =>
    makeDocument(path, {
      size,
      lastModifiedMs: nowMs - agoMs,
      versionCount,
      versionBytes: versionCount * size,
    });
  const files = [
    at('Budget 2026.xlsx', 48_213, 4 * minute, 12),
    at('letter.docx', 18_420, 26 * minute, 7),
    at('Invitation.odt', 22_010, 3 * hour, 1),
    at('Minutes of the general meeting of the harbour association, second part, corrected.docx', 84_512, day),
    at('Opening speech.docx', 31_904, 2 * day, 41),
    at('Photos of the bridge.zip', 1_840_332_118, 40 * day),
    at('Roof plan.pptx', 4_120_443, 5 * hour, 2),
    at('Roster.ods', 12_877, 8 * day),
    at('notes.md', 2_117, 9 * day, 7),
    at('scan.pdf', 920_117, 12 * day),
    at('Finance/Accounts.xlsx', 92_113, hour, 7),
    at('Finance/2026/Budget 9.xlsx', 51_200, 20 * minute, 4),
    at('Finance/2026/Offers/Offer 3.odt', 24_117, day, 1),
    at('Finance/2026/Offers/Harbour bridge/Offer.docx', 19_004, 3 * day),
    at('Letters/Letter to the council.docx', 20_881, 2 * hour, 5),
  ];
  const lockOf = (index: number, path: string, isStale: boolean) => ({
    ...(isStale ? makeSilentLock(index, nowMs) : makeLock(index, nowMs)),
    id: `id of ${path}`,
    path,
  });
  const state = makeQuietState(nowMs);
  return {
    state: {
      ...state,
      editors: [makeEditor(nowMs), makeCollabora(nowMs)],
      recent: ['letter.docx', 'Finance/2026/Budget 9.xlsx', 'Roof plan.pptx'].map((path, index) => ({
        path,
        openedAtMs: nowMs - (index + 1) * 20 * minute,
      })),
      locks: [
        lockOf(1, 'Budget 2026.xlsx', false),
        lockOf(3, 'Roof plan.pptx', false),
        lockOf(2, 'Invitation.odt', true),
        { ...makeOrphanLock(5, nowMs), id: 'id of Finance/Accounts.xlsx', path: 'Finance/Accounts.xlsx' },
      ],
    },
    answers: createDocumentAnswers(createTree([...folders, ...files]), nowMs),
  };
}

/** A folder with ten folders and 10,000 documents. */
function documentsMany(nowMs: number): Scenario {
  const folders = Array.from({ length: 10 }, (_, index): DocumentItem => {
    const name = `Year ${2017 + index}`;
    return { kind: 'folder', path: name, name, lastModifiedMs: nowMs - index * day };
  });
  const endings = ['docx', 'xlsx', 'odt', 'pptx'];
  const files = Array.from({ length: 10_000 }, (_, index) =>
    makeDocument(`Report ${String(index).padStart(6, '0')}.${endings[index % 4] ?? 'docx'}`, {
      size: 4096 + ((index * 7919) % 900_000),
      lastModifiedMs: nowMs - ((index * 104_729) % 40_000) * minute,
      versionCount: index % 9,
      versionBytes: (index % 9) * 20_000,
    }),
  );
  const all = [...folders, ...files];
  const answers = createDocumentAnswers(createTree(all), nowMs);
  return {
    state: makeQuietState(nowMs),
    answers: {
      ...answers,
      // They are made in this order.
      'documents.list': ({ path, startIndex, count }) => {
        const items = path === '' ? all : [];
        return { path, startIndex, items: items.slice(startIndex, startIndex + count), total: items.length };
      },
    },
  };
}

function documentsEmpty(nowMs: number): Scenario {
  return { state: makeQuietState(nowMs), answers: createDocumentAnswers(createTree([]), nowMs) };
}

export const documentScenarios = {
  documents,
  'documents-many': documentsMany,
  'documents-empty': documentsEmpty,
};
