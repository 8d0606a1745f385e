// What a document is, by its extension: how it is shown, and its highlighting, which is loaded when it is needed.

import {
  HighlightStyle,
  LanguageDescription,
  LanguageSupport,
  StreamLanguage,
  syntaxHighlighting,
} from '@codemirror/language';
import type { Extension, Text } from '@codemirror/state';
import { tags } from '@lezer/highlight';
import { typeOf } from '../../app/contract/names.ts';

const imageTypes: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
};

/** The content type is chosen here, whatever the bytes look like. SVG is text: as a document it could run script. */
export type DocumentKind =
  { kind: 'text' } | { kind: 'docx' } | { kind: 'pdf' } | { kind: 'image'; type: string };

export function kindOf(name: string): DocumentKind {
  const extension = typeOf(name);
  const type = imageTypes[extension];
  if (type !== undefined) return { kind: 'image', type };
  if (extension === 'docx' || extension === 'pdf') return { kind: extension };
  return { kind: 'text' };
}

export function isMarkdown(name: string): boolean {
  return ['md', 'markdown', 'mdown'].includes(typeOf(name));
}

const csvExtensions = ['csv', 'tsv', 'tab'];

const languages: readonly LanguageDescription[] = [
  LanguageDescription.of({
    name: 'Markdown',
    alias: ['md'],
    extensions: ['md', 'markdown', 'mdown'],
    load: async () => {
      const { markdown, markdownLanguage } = await import('@codemirror/lang-markdown');
      return markdown({ base: markdownLanguage, codeLanguages: languages, completeHTMLTags: false });
    },
  }),
  LanguageDescription.of({
    name: 'JSON',
    extensions: ['json', 'jsonc', 'geojson', 'webmanifest', 'map'],
    load: async () => (await import('@codemirror/lang-json')).json(),
  }),
  LanguageDescription.of({
    name: 'YAML',
    extensions: ['yaml', 'yml'],
    load: async () => (await import('@codemirror/lang-yaml')).yaml(),
  }),
  LanguageDescription.of({
    name: 'XML',
    extensions: ['xml', 'svg', 'xsl', 'xslt', 'xsd', 'rss', 'atom', 'plist', 'gpx', 'kml'],
    load: async () => (await import('@codemirror/lang-xml')).xml({ autoCloseTags: false }),
  }),
  LanguageDescription.of({
    name: 'HTML',
    extensions: ['html', 'htm', 'xhtml'],
    load: async () => (await import('@codemirror/lang-html')).html({ autoCloseTags: false }),
  }),
  LanguageDescription.of({
    name: 'CSS',
    extensions: ['css'],
    load: async () => (await import('@codemirror/lang-css')).css(),
  }),
  LanguageDescription.of({
    name: 'JavaScript',
    alias: ['js', 'ecmascript'],
    extensions: ['js', 'mjs', 'cjs', 'jsx'],
    load: async () => (await import('@codemirror/lang-javascript')).javascript({ jsx: true }),
  }),
  LanguageDescription.of({
    name: 'TypeScript',
    alias: ['ts'],
    extensions: ['ts', 'mts', 'cts'],
    load: async () => (await import('@codemirror/lang-javascript')).javascript({ typescript: true }),
  }),
  LanguageDescription.of({
    name: 'TSX',
    extensions: ['tsx'],
    load: async () =>
      (await import('@codemirror/lang-javascript')).javascript({ typescript: true, jsx: true }),
  }),
  LanguageDescription.of({
    name: 'INI',
    alias: ['properties'],
    extensions: ['ini', 'conf', 'cfg', 'properties', 'env', 'desktop'],
    load: async () => {
      const { properties } = await import('@codemirror/legacy-modes/mode/properties');
      return new LanguageSupport(StreamLanguage.define(properties));
    },
  }),
  LanguageDescription.of({
    name: 'TOML',
    extensions: ['toml'],
    load: async () => {
      const { toml } = await import('@codemirror/legacy-modes/mode/toml');
      return new LanguageSupport(StreamLanguage.define(toml));
    },
  }),
  LanguageDescription.of({
    name: 'Shell',
    alias: ['sh', 'bash'],
    extensions: ['sh', 'bash', 'zsh'],
    load: async () => {
      const { shell } = await import('@codemirror/legacy-modes/mode/shell');
      return new LanguageSupport(StreamLanguage.define(shell));
    },
  }),
];

/** What the status bar shows as the document's type. */
export function languageName(name: string): string {
  const extension = typeOf(name);
  if (csvExtensions.includes(extension)) return extension === 'csv' ? 'CSV' : 'TSV';
  return LanguageDescription.matchFilename(languages, name)?.name ?? 'Plain text';
}

/** @param doc CSV separators are detected from it. Never rejects: a document without colors is still one. */
export async function loadLanguage(name: string, doc: Text): Promise<Extension> {
  try {
    const extension = typeOf(name);
    if (csvExtensions.includes(extension)) {
      const { csvHighlighting, csvLanguage, detectSeparator } = await import('./csv.ts');
      return [csvLanguage(detectSeparator(doc, extension)), csvHighlighting()];
    }
    return (await LanguageDescription.matchFilename(languages, name)?.load()) ?? [];
  } catch {
    return [];
  }
}

/** Prose is wrapped and spell-checked, code isn't. */
export function isProse(name: string): boolean {
  return isMarkdown(name) || ['txt', 'text', ''].includes(typeOf(name));
}

export const highlighting: Extension = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: 'var(--hl-keyword)' },
    { tag: [tags.string, tags.special(tags.string), tags.attributeValue], color: 'var(--hl-string)' },
    { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.unit], color: 'var(--hl-number)' },
    { tag: [tags.comment, tags.meta, tags.processingInstruction], color: 'var(--text-muted)' },
    { tag: [tags.propertyName, tags.attributeName, tags.labelName], color: 'var(--hl-name)' },
    { tag: [tags.typeName, tags.className, tags.tagName, tags.namespace], color: 'var(--hl-type)' },
    { tag: [tags.function(tags.variableName), tags.definition(tags.variableName)], color: 'var(--hl-name)' },
    { tag: [tags.regexp, tags.escape, tags.color], color: 'var(--hl-number)' },
    { tag: [tags.link, tags.url], color: 'var(--accent)' },
    { tag: tags.heading, fontWeight: '700' },
    { tag: tags.strong, fontWeight: '700' },
    { tag: tags.emphasis, fontStyle: 'italic' },
    { tag: tags.strikethrough, textDecoration: 'line-through' },
    { tag: tags.monospace, color: 'var(--hl-string)' },
    { tag: tags.quote, color: 'var(--text-muted)' },
    { tag: tags.invalid, color: 'var(--bad)' },
  ]),
);
