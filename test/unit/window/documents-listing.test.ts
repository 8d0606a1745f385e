import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CommandArgs } from '../../../app/commands/commands.ts';
import type { DocumentItem, DocumentPage } from '../../../app/contract/results.ts';
import { CallError, type Call } from '../../../renderer/window/state/call.ts';
import { createListing, type ListingQuery } from '../../../renderer/window/documents/listing.ts';
import { nameProblem } from '../../../renderer/window/documents/names.ts';

type ListArgs = CommandArgs<'documents.list'>;

interface Asked {
  args: ListArgs;
  answer(): void;
  refuse(code: string): void;
}

function documentOf(name: string, folder = ''): DocumentItem {
  const path = folder === '' ? name : `${folder}/${name}`;
  return {
    kind: 'document',
    fileId: path,
    path,
    name,
    size: 1,
    lastModifiedMs: 1,
    versionCount: 0,
    versionBytes: 0,
  };
}

const byName: ListingQuery = { folder: '', sort: 'name', isDescending: false };

/** A listing whose requests are answered when the test says so. */
function startListing(names: string[], folders: string[] = []) {
  const asked: Asked[] = [];
  let all: DocumentItem[] = [
    ...folders.map((name): DocumentItem => ({ kind: 'folder', path: name, name, lastModifiedMs: 1 })),
    ...names.map((name) => documentOf(name)),
  ];
  const list = async (args: ListArgs) =>
    new Promise<DocumentPage>((resolve, reject) => {
      asked.push({
        args,
        answer: () => {
          const { path, startIndex, count, isDescending } = args;
          const of = (kind: DocumentItem['kind']) => {
            const some = all.filter((item) => item.kind === kind);
            return isDescending ? some.toReversed() : some;
          };
          const items = [...of('folder'), ...of('document')].slice(startIndex, startIndex + count);
          resolve({ path, startIndex, items, total: all.length });
        },
        refuse: (code) => reject(new CallError(code, `refused: ${code}`)),
      });
    });
  const call = (async (_name: string, args: ListArgs) => list(args)) as unknown as Call;
  const listing = createListing({ call, query: byName });
  const flush = async () => new Promise((resolve) => setImmediate(resolve));
  return {
    listing,
    asked,
    /** Answers all requests, including those that follow from the answers. */
    answerAll: async () => {
      let from = 0;
      while (from < asked.length) {
        const some = asked.slice(from);
        from = asked.length;
        for (const one of some) one.answer();
        await flush();
      }
    },
    flush,
    become: (items: string[]) => {
      all = items.map((name) => documentOf(name));
    },
  };
}

function startsOf(asked: readonly Asked[]): number[] {
  return asked.map(({ args }) => args.startIndex);
}

const manyNames = Array.from({ length: 5000 }, (_, index) => `n${String(index).padStart(5, '0')}`);

describe('the listing of a folder', () => {
  it('drops the response for a folder that is no longer shown', async () => {
    const { listing, asked, flush } = startListing(['a', 'b']);
    listing.show(byName);
    listing.show({ ...byName, folder: 'other' });
    asked[0]?.answer();
    await flush();
    assert.equal(listing.snapshot().status, 'loading');
    asked[1]?.answer();
    await flush();
    assert.equal(listing.snapshot().status, 'ready');
    assert.equal(listing.snapshot().query.folder, 'other');
  });

  it('requests at most two pages at a time, and visible rows before ones scrolled past', async () => {
    const { listing, asked, answerAll, flush } = startListing(manyNames);
    listing.show(byName);
    await answerAll();
    for (let start = 0; start < 4800; start += 40) listing.need(start, start + 40);
    assert.equal(asked.length, 3);
    for (const one of asked) one.answer();
    await flush();
    const last = asked.at(-1)?.args.startIndex;
    assert.equal(last, 4600);
    await answerAll();
    // Neither are the rows in between.
    assert.deepEqual(startsOf(asked.slice(3)), [4600, 4800]);
    assert.equal(listing.itemAt(4700)?.name, 'n04700');
  });

  it('loads a page before its rows come into sight, once those in sight are loaded', async () => {
    const { listing, asked, answerAll, flush } = startListing(manyNames);
    listing.show(byName);
    await answerAll();
    listing.need(40, 80);
    assert.deepEqual(startsOf(asked), [0]);
    listing.need(80, 120);
    assert.deepEqual(startsOf(asked), [0, 200]);
    await answerAll();
    listing.need(440, 480);
    assert.deepEqual(startsOf(asked), [0, 200, 400]);
    await answerAll();
    listing.need(1040, 1080);
    assert.deepEqual(startsOf(asked.slice(3)), [1000]);
    asked[3]?.answer();
    await flush();
    assert.deepEqual(startsOf(asked.slice(3)), [1000, 800]);
    await answerAll();
    assert.equal(asked.length, 5);
  });

  it('keeps the old rows during a refresh, and refreshes again after changes in the meantime', async () => {
    const { listing, asked, answerAll, become, flush } = startListing(['a', 'b']);
    listing.show(byName);
    await answerAll();
    become(['a', 'b', 'c']);
    listing.refresh();
    listing.refresh();
    listing.refresh();
    assert.equal(listing.itemAt(1)?.name, 'b');
    assert.equal(asked.length, 2, 'three changes, one request');
    asked[1]?.answer();
    await flush();
    assert.equal(asked.length, 3, 'the response may be older than the last change');
    asked[2]?.answer();
    await flush();
    assert.equal(listing.snapshot().total, 3);
    assert.equal(asked.length, 3);
  });

  it('keeps its rows when a refresh fails, but not when the folder is gone', async () => {
    const { listing, asked, answerAll, flush } = startListing(['a']);
    listing.show(byName);
    await answerAll();
    listing.refresh();
    asked[1]?.refuse('disk-refused');
    await flush();
    assert.equal(listing.snapshot().status, 'ready');
    assert.equal(listing.snapshot().problem?.code, 'disk-refused');
    assert.equal(listing.itemAt(0)?.name, 'a');
    assert.equal(asked.length, 2, 'it doesn’t retry automatically');
    listing.refresh();
    assert.equal(listing.snapshot().problem, null);
    asked[2]?.refuse('folder-unknown');
    await flush();
    assert.equal(listing.snapshot().status, 'failed');
    assert.equal(listing.itemAt(0), undefined);
    listing.refresh();
    asked[3]?.answer();
    await flush();
    assert.equal(listing.snapshot().status, 'ready');
  });

  for (const isDescending of [false, true]) {
    it(`finds documents and folders by name in few requests, ${isDescending ? 'Z to A' : 'A to Z'}`, async () => {
      const { listing, asked, answerAll } = startListing(manyNames, ['Archive', 'photos', 'Zoo']);
      listing.show({ ...byName, isDescending });
      await answerAll();
      for (const path of ['n00000', 'n02717', 'n04999', 'photos', 'absent', 'zzz']) {
        const before = asked.length;
        let found: { index: number; item: DocumentItem } | undefined | 'none' = 'none';
        void listing.locate(path).then((place) => {
          found = place;
        });
        while (found === 'none') await answerAll();
        const place = found as { index: number; item: DocumentItem } | undefined;
        if (path === 'absent' || path === 'zzz') assert.equal(place, undefined);
        else {
          assert.equal(place?.item.path, path);
          assert.equal(listing.itemAt(place?.index ?? -1)?.path, path);
        }
        assert.ok(asked.length - before <= 12, `${path}: ${asked.length - before} requests`);
      }
    });
  }
});

describe('a typed name', () => {
  const cases: [stem: string, extension: string, problem: RegExp | null][] = [
    ['Offer', '.docx', null],
    ['Offer v1.2', '.docx', null],
    ['  Offer  ', '.docx', null],
    ['naïve 名前 👩‍👩‍👧', '.odt', null],
    ['', '.docx', /^Type a name\.$/],
    ['   ', '.docx', /^Type a name\.$/],
    ['a/b', '.docx', /can’t contain “\/”/],
    ['a\\b', '.docx', /can’t contain “\\”/],
    ['a\u202eb', '.docx', /invisible characters/],
    ['a\u0007b', '.docx', /invisible characters/],
    ['.hidden', '.docx', /start with a dot are hidden/],
    ['~$letter', '.docx', /lock files/],
    ['folder.', '', /can’t end with a dot/],
    ['COM1', '.docx', /Windows/],
    ['console', '.docx', null],
    ['ä'.repeat(124), '.docx', null],
    ['ä'.repeat(126), '.docx', /too long/],
    ['Taken', '.docx', /“TAKEN\.docx” already exists/],
    ['Taken.DOCX', '.docx', /“TAKEN\.docx” already exists/],
    [' .docx', '.docx', /^Type a name\.$/],
  ];
  for (const [stem, extension, problem] of cases) {
    const shown = stem.length > 20 ? `${stem.slice(0, 5)}… (${stem.length})` : stem;
    it(`${JSON.stringify(shown + extension).replace('\u202e', '\\u202e')} is ${problem === null ? 'valid' : `invalid: ${problem.source}`}`, () => {
      const found = nameProblem(stem, extension, ['TAKEN.docx']);
      if (problem === null) assert.equal(found, null);
      else assert.match(found ?? '', problem);
    });
  }
});
