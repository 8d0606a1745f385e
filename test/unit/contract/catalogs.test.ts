// Every message has its German, with the same values, and no catalog keeps a message that nothing shows any more.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { IntlMessageFormat } from 'intl-messageformat';
import { errorSentences } from '../../../app/contract/errors.ts';
import { sharedGerman } from '../../../app/contract/german.ts';
import type { Catalog } from '../../../app/contract/messages.ts';
import { sentencesIn } from './host-sentences.ts';
import { templates } from '../../../app/templates/templates.ts';
import { pagesGerman as pages } from '../../../app/server/pages/german.ts';
import { german as desktop } from '../../../app/desktop/german.ts';
import { german as hostPage } from '../../../renderer/host-page/german.ts';
import { german as textEditor } from '../../../renderer/text-editor/german.ts';
import { german as window } from '../../../renderer/window/german.ts';

const projectRoot = join(import.meta.dirname, '..', '..', '..');
/** They pass on messages that are literals elsewhere. */
const forwarding = ['app/contract/messages.ts', 'app/contract/errors.ts'];

function sources(pattern: string): { path: string; text: string }[] {
  return globSync(pattern, { cwd: projectRoot })
    .filter((path) => !forwarding.includes(path))
    .map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }));
}

const literal = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"`;
const uses = [
  new RegExp(String.raw`(?<![\w.])t\(\s*(${literal})`, 'gu'),
  new RegExp(String.raw`<Message\s+of=\{?\s*(${literal})`, 'gu'),
];
const wrongUse = new RegExp(
  String.raw`(?<![\w.'])t\((?!\s*(?:${literal}))[^)]*|<Message\s+(?!\s|of=\{?\s*(?:${literal}))[^>]*`,
  'u',
);

function messagesIn(pattern: string): Set<string> {
  const found = new Set<string>();
  for (const { path, text } of sources(pattern)) {
    const code = text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gmu, '');
    assert.doesNotMatch(code, wrongUse, `${path}: the message must be a literal`);
    for (const use of uses) {
      for (const [, quoted = ''] of code.matchAll(use)) found.add(unquoted(quoted));
    }
  }
  return found;
}

function unquoted(text: string): string {
  return text.slice(1, -1).replaceAll(/\\(.)/gu, '$1');
}

/**
 * The window doesn't show what the log, the terminal and the API get, the requests that pages of the text editor make, and pages for
 * browsers, which have their own catalog.
 */
const notInTheWindow = [
  'app/cli.ts',
  'app/live-state/status.ts',
  'app/contract/errors.ts',
  'app/contract/german',
  'app/desktop/german.ts',
  'app/desktop/launch.ts',
  'app/desktop/protocol.ts',
  'app/editors/probes.ts',
  'app/files/recovered-saves.ts',
  'app/server',
  'app/store',
  'app/terminal',
  'app/text-editor/app.ts',
  'app/text-editor/relay.ts',
  'app/wopi',
];
const hostSentences = sentencesIn(['app/**/*.ts'], notInTheWindow);
for (const sentence of [
  'DocTray is checking whether it can write here.', // the content of a file
  'Start DocTray.', // for the terminal
  '{} couldn’t be started.', // in the log
]) {
  assert.ok(hostSentences.delete(sentence), `${sentence} is no longer a sentence of the host`);
}

/** Details of errors are shown as they are in the catalog. */
function staticDetails(): string[] {
  const detail = new RegExp(String.raw`new AppError\([^;]*?detail:\s*(${literal})`, 'gu');
  return sources('app/**/*.ts')
    .filter(({ path }) => !path.startsWith('app/terminal'))
    .flatMap(({ text }) => [...text.matchAll(detail)].map(([, quoted = '']) => unquoted(quoted)));
}

const shared = new Set([
  ...messagesIn('app/contract/**/*.ts'),
  ...messagesIn('app/commands/**/*.ts'),
  ...messagesIn('app/doctor/**/*.ts'),
  ...messagesIn('app/live-state/**/*.ts'),
  ...messagesIn('app/documents/**/*.ts'),
  ...messagesIn('app/dashboard/**/*.ts'),
  ...errorSentences(),
  ...staticDetails(),
  ...hostSentences.keys(),
  ...templates.map(({ title }) => title),
]);

/** A page's catalog has no others' sentences, but all that its own modules and the shared ones it imports can say. */
function pageProgram(
  name: string,
  catalog: Catalog,
): { name: string; catalog: Catalog; messages: Set<string> } {
  const modules = importedFrom(globSync(`${name}/**/*.ts`, { cwd: projectRoot }));
  return { name, catalog, messages: new Set(modules.flatMap((path) => [...messagesIn(path)])) };
}

/** The modules and all that they import, except for types. */
function importedFrom(paths: readonly string[]): string[] {
  const found = new Set(paths);
  // A set's iteration includes what is added to it.
  for (const path of found) {
    const code = readFileSync(join(projectRoot, path), 'utf8');
    for (const [, imported = ''] of code.matchAll(
      /^(?:import|export) (?!type )[^;]*?from '(\.[^']+\.ts)';/gmu,
    ))
      found.add(join(dirname(path), imported));
  }
  return [...found];
}

function minus(messages: Set<string>, others: Set<string>): Set<string> {
  return new Set([...messages].filter((message) => !others.has(message)));
}

function without(catalog: Catalog, others: Catalog): Catalog {
  return Object.fromEntries(Object.entries(catalog).filter(([message]) => !Object.hasOwn(others, message)));
}

const programs: { name: string; catalog: Catalog; messages: Set<string> }[] = [
  { name: 'app/contract', catalog: sharedGerman, messages: shared },
  {
    name: 'app/desktop',
    catalog: without(desktop, sharedGerman),
    messages: minus(messagesIn('app/desktop/**/*.ts'), shared),
  },
  {
    name: 'renderer/window',
    catalog: without(window, sharedGerman),
    messages: minus(messagesIn('renderer/{window,pages}/**/*.{ts,tsx}'), shared),
  },
  {
    name: 'app/server',
    catalog: without(pages, sharedGerman),
    messages: minus(
      new Set([
        ...messagesIn('app/server/**/*.ts'),
        ...sentencesIn(
          ['app/server/pages/*.ts', 'app/server/routes/pages.ts'],
          ['app/server/pages/german.ts'],
        ).keys(),
      ]),
      shared,
    ),
  },
  pageProgram('renderer/host-page', hostPage),
  pageProgram('renderer/text-editor', textEditor),
];

for (const [name, catalog] of Object.entries({ desktop, window, pages })) {
  test(`the German catalog of the ${name} has all that the host and its formats say`, () => {
    assert.deepEqual(
      Object.keys(sharedGerman).filter((message) => catalog[message] === undefined),
      [],
    );
  });
}

for (const { name, catalog, messages } of programs) {
  test(`${name} is complete in German`, () => {
    const missing = [...messages].filter((message) => !Object.hasOwn(catalog, message));
    assert.deepEqual(missing, []);
    const unused = Object.keys(catalog).filter((message) => !messages.has(message));
    assert.deepEqual(unused, []);
  });

  test(`${name} has messages that can be formatted, with the same values in both languages`, () => {
    for (const [message, german] of Object.entries(catalog)) {
      if (message.includes('{}')) continue;
      assert.deepEqual(valuesOf(german), valuesOf(message), message);
      assert.notEqual(german.trim(), '', message);
    }
  });
}

/** The names of a message's values, also inside of plurals. */
function valuesOf(message: string): string[] {
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
