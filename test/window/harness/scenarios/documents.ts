// Hosted folders for the Documents view: a typical one, and one with 10,000 documents. They list, search and change
// as in the host (app/documents/folder-view.ts).

import { compareNames } from '../../../../app/contract/name-order.ts';
import { joinPath, nameOf, parentOf } from '../../../../app/contract/names.ts';
import type { DocumentItem } from '../../../../app/contract/results.ts';
import { quiet } from '../basic-answers.ts';
import { makeCollabora, makeEditor } from '../editors.ts';
import { FakeRefusal, type Answers, type Scenario } from '../fake-host.ts';
import { day, hour, makeJob, makeLock, makeOrphanLock, makeSilentLock, minute, pathOf } from '../rows.ts';

function sorted(items: DocumentItem[]): DocumentItem[] {
  const isDocument = ({ kind }: DocumentItem) => Number(kind === 'document');
  return items.toSorted((a, b) => isDocument(a) - isDocument(b) || compareNames(a.name, b.name));
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

function makeVersions({ size, lastModifiedMs }: { size: number; lastModifiedMs: number }) {
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
    kind: 'copy' as const,
  }));
}

/** Three changes: a word, two lines more, a line less. */
function comparedText(isCurrent: boolean): string {
  const minutes = Array.from({ length: 16 }, (_, index) => `- Point ${index + 1} of the minutes, as agreed.`);
  const start = ['Dear council,', `the bridge is ${isCurrent ? 'new' : 'old'}.`, ...minutes];
  const added = ['- The railing is painted in May.', '- It costs €4,200.'];
  const same = minutes.slice(0, 12);
  const rest = isCurrent ? [...added, ...same] : [...same, 'Greetings from the harbor,'];
  return [...start, ...rest, 'Ana'].join('\n');
}

/** A folder with the documents that locks, sessions and requests are about: `file0` and so on. */
export function createFolderOfRows(
  count: number,
  nowMs: number,
): Pick<Answers, 'documents.list' | 'documents.search' | 'versions.usage'> {
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
  const { 'documents.list': list, 'documents.search': search } = createDocumentAnswers(
    [...folders, ...documents],
    nowMs,
  );
  const versions = documents.map((item) => (item.kind === 'document' ? item.versionCount : 0));
  const kept = versions.reduce((sum, one) => sum + one, 0);
  const usage = () => ({ count: kept, bytes: kept * 31_000 });
  return { 'documents.list': list, 'documents.search': search, 'versions.usage': usage };
}

function createDocumentAnswers(start: DocumentItem[], nowMs: number) {
  let all = start;
  let opened = 0;
  const trashed: DocumentItem[] = [];
  const add = (...items: DocumentItem[]) => void (all = [...all, ...items]);
  const remove = (path: string) => {
    const item = all.find((one) => one.path === path);
    all = all.filter((one) => one !== item);
    return item;
  };
  const isFolder = (path: string) => all.some((item) => item.path === path && item.kind === 'folder');
  return {
    'documents.list': ({ path, startIndex, count }) => {
      if (path !== '' && !isFolder(path))
        throw new FakeRefusal('folder-unknown', 'This folder doesn’t exist in the hosted folder.');
      const items = sorted(all.filter((item) => parentOf(item.path) === path));
      return { path, startIndex, items: items.slice(startIndex, startIndex + count), total: items.length };
    },
    'documents.search': ({ text, count }) => {
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
      const path = joinPath(folderPath, name);
      if (all.some((item) => item.path === path))
        throw new FakeRefusal('name-taken', 'A document of this name is there already.');
      add(makeDocument(path, { size: 6_812, lastModifiedMs: Date.now() }));
      return { path };
    },
    'documents.createFolder': ({ folderPath, name }) => {
      const path = joinPath(folderPath, name);
      add({ kind: 'folder', path, name, lastModifiedMs: Date.now() });
      return { path };
    },
    'documents.duplicate': ({ path }) => {
      const copy = path.replace(/(?=\.[^.]*$)/u, ' copy');
      add(makeDocument(copy, { size: 6_812, lastModifiedMs: Date.now() }));
      return { path: copy };
    },
    'documents.rename': ({ path: from, name }) => {
      const item = remove(from);
      if (item === undefined)
        throw new FakeRefusal('file-missing', 'This document doesn’t exist in the hosted folder.');
      const path = joinPath(parentOf(from), name);
      add({ ...item, path, name });
      return { path };
    },
    'documents.move': ({ paths, folderPath, keepsBoth }) => {
      const done = paths.map((from) => {
        const to = joinPath(folderPath, nameOf(from));
        const path = keepsBoth === true ? to.replace(/(?=\.[^.]*$)/u, ' (1)') : to;
        const item = remove(from);
        if (item !== undefined) add({ ...item, path, name: nameOf(path) });
        return { id: from, path, from };
      });
      return { done, failed: [] };
    },
    'documents.undoTrash': () => {
      const done = trashed.map(({ path }) => ({ id: path, path, from: path }));
      add(...trashed.splice(0));
      return { done, failed: [] };
    },
    'documents.trash': ({ paths }, host) => {
      const message =
        'The document is being edited. Close it in its editor. If the editor is gone, force-clear the lock.';
      const held = paths.filter((path) => host.state.locks.some((lock) => lock.path === path));
      const free = paths.filter((path) => !held.includes(path));
      const removed = free.flatMap((path) => remove(path) ?? []);
      trashed.push(...removed);
      return {
        done: removed.map(({ path }) => ({ id: path, path })),
        gone: free.filter((path) => !removed.some((item) => item.path === path)),
        failed: held.map((path) => ({ id: path, path, message, code: 'file-locked' })),
        undo: removed.length === 0 ? null : { id: 'undo1', untilMs: Date.now() + 10_000 },
      };
    },
    'documents.import': ({ sources, folderPath }, host) => {
      const title = `Copying ${sources.length} files into ${folderPath}`;
      host.upsert('jobs', [makeJob({ id: 'import1', title, done: 0, total: sources.length })]);
      return { jobId: 'import1' };
    },
    'documents.colleagueLink': () => ({ url: null, settings: ['networkPages', 'host'], needsUser: true }),
    'versions.list': ({ path }) => {
      const document = all.find((item) => item.path === path);
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
    'versions.text': ({ versionId }) => ({ text: comparedText(versionId === null) }),
    'versions.saveCopy': ({ name = 'copy.docx' }) => {
      add(makeDocument(name, { lastModifiedMs: Date.now() }));
      return { path: name };
    },
    'versions.restore': ({ path }) => ({ path, itemVersion: '42', size: 17_684 }),
  } satisfies Answers;
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
  return quiet(
    nowMs,
    {
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
    createDocumentAnswers([...folders, ...files], nowMs),
  );
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
  return quiet(
    nowMs,
    {},
    {
      ...createDocumentAnswers(all, nowMs),
      // They are made in this order.
      'documents.list': ({ path, startIndex, count }) => {
        const items = path === '' ? all : [];
        return { path, startIndex, items: items.slice(startIndex, startIndex + count), total: items.length };
      },
    },
  );
}

export const documentScenarios = {
  documents,
  'documents-many': documentsMany,
};
