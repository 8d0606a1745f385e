// Every key that the sources use has an English message, no message is without a use, and every language has the same values.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { IntlMessageFormat } from 'intl-messageformat';
import type { Catalog } from '../../../app/contract/messages.ts';

const projectRoot = join(import.meta.dirname, '..', '..', '..');

function read(path: string): string {
  return readFileSync(join(projectRoot, path), 'utf8');
}

const catalogs = globSync('locales/*.json', { cwd: projectRoot }).map((path) => ({
  language: basename(path, '.json'),
  catalog: JSON.parse(read(path)) as Catalog,
}));
const english = catalogs.find(({ language }) => language === 'en')!.catalog;
const groups = new Set(Object.keys(english).map((key) => key.split('.')[0]));
const key = new RegExp(
  String.raw`['"` + '`' + String.raw`]((?:${[...groups].join('|')})\.[a-z\d.-]+)['"` + '`' + String.raw`]`,
  'gu',
);
const call = /(?<![\w.])(?:t|messageParts)(?:<\w+>)?\(\s*'([^']+)'|<Message\s+of="([^"]+)"/gu;
const sources = globSync('{app,renderer}/**/*.{ts,tsx}', { cwd: projectRoot })
  .map(read)
  .map((text) => text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gmu, ''));

test('every message is used, and every key has a message', () => {
  const used = new Set(sources.flatMap((text) => [...text.matchAll(key)].map(([, found = '']) => found)));
  // Put together from an error's code.
  const isOfError = (one: string): boolean => one.startsWith('error.');
  const unused = Object.keys(english).filter((one) => !used.has(one) && !isOfError(one));
  assert.deepEqual(unused, [], 'Remove these from locales/*.json.');
  const said = sources.flatMap((text) =>
    [...text.matchAll(call)].map(([, one, other]) => one ?? other ?? ''),
  );
  const missing = said.filter((one) => !Object.hasOwn(english, one));
  assert.deepEqual(missing, [], 'Add these to locales/en.json.');
});

/** As in build/pages.vite.config.ts: a page's bundle has no other messages. */
const groupsOf = {
  kit: ['kit', 'common'],
  'host-page': ['page', 'kit', 'common'],
  'text-editor': ['editor', 'kit', 'common'],
};

for (const [folder, known] of Object.entries(groupsOf)) {
  test(`renderer/${folder} shows only messages that its bundle has`, () => {
    const used = globSync(`renderer/${folder}/*.{ts,tsx}`, { cwd: projectRoot })
      .flatMap((path) => [...read(path).matchAll(key)])
      .map(([, found = '']) => found);
    assert.deepEqual(
      used.filter((one) => !known.includes(one.split('.')[0] ?? '')),
      [],
    );
  });
}

for (const { language, catalog } of catalogs) {
  test(`locales/${language}.json has the keys of English, in their order, with the same values`, () => {
    assert.deepEqual(Object.keys(catalog), Object.keys(english).toSorted());
    for (const [one, message] of Object.entries(catalog)) {
      assert.notEqual(message.trim(), '', one);
      assert.deepEqual(valuesIn(message), valuesIn(english[one]!), one);
    }
  });
}

/** The names of a message's values, also inside of plurals. */
function valuesIn(message: string): string[] {
  const names = new Set<string>();
  const collect = (elements: unknown): void => {
    if (Array.isArray(elements)) for (const element of elements) collect(element);
    else if (typeof elements === 'object' && elements !== null) {
      const { type, value, options } = elements as { type?: number; value?: unknown; options?: object };
      // 0 is text, and 7 the number of a plural
      if (type !== undefined && type !== 0 && type !== 7) names.add(String(value));
      for (const option of Object.values(options ?? {})) collect((option as { value: unknown }).value);
    }
  };
  collect(new IntlMessageFormat(message, 'en', undefined, { ignoreTag: true }).getAst());
  return [...names].toSorted();
}
