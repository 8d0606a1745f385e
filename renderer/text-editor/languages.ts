// What a document is, by its extension: how it is shown, and its highlighting, which is loaded when it is needed.

import {
  HighlightStyle,
  LanguageDescription,
  LanguageSupport,
  StreamLanguage,
  type StreamParser,
  syntaxHighlighting,
} from '@codemirror/language';
import type { Extension, Text } from '@codemirror/state';
import { tags } from '@lezer/highlight';
import { typeOf } from '../../app/contract/names.ts';

const imageTypes = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'bmp'];

/** The content type is chosen here, whatever the bytes look like. SVG is text: as a document it could run script. */
export type DocumentKind =
  { kind: 'text' } | { kind: 'docx' } | { kind: 'pdf' } | { kind: 'image'; type: string };

export function kindOf(name: string): DocumentKind {
  const extension = typeOf(name);
  if (imageTypes.includes(extension))
    return { kind: 'image', type: `image/${extension.replace('jpg', 'jpeg')}` };
  if (extension === 'docx' || extension === 'pdf') return { kind: extension };
  return { kind: 'text' };
}

export function isMarkdown(name: string): boolean {
  return ['md', 'markdown', 'mdown'].includes(typeOf(name));
}

const csvExtensions = ['csv', 'tsv', 'tab'];

/** @param extensions also what Markdown may call a code block in it */
function language(
  name: string,
  extensions: string,
  load: () => Promise<LanguageSupport | StreamParser<unknown>>,
): LanguageDescription {
  const names = extensions.split(' ');
  return LanguageDescription.of({
    name,
    alias: names,
    extensions: names,
    async load() {
      const loaded = await load();
      return loaded instanceof LanguageSupport ? loaded : new LanguageSupport(StreamLanguage.define(loaded));
    },
  });
}

const javascript = () => import('@codemirror/lang-javascript');

const languages: readonly LanguageDescription[] = [
  language('Markdown', 'md markdown mdown', async () => {
    const { markdown, markdownLanguage } = await import('@codemirror/lang-markdown');
    return markdown({ base: markdownLanguage, codeLanguages: languages, completeHTMLTags: false });
  }),
  language('JSON', 'json jsonc geojson webmanifest map', async () =>
    (await import('@codemirror/lang-json')).json(),
  ),
  language('YAML', 'yaml yml', async () => (await import('@codemirror/lang-yaml')).yaml()),
  language('XML', 'xml svg xsl xslt xsd rss atom plist gpx kml', async () =>
    (await import('@codemirror/lang-xml')).xml({ autoCloseTags: false }),
  ),
  language('HTML', 'html htm xhtml', async () =>
    (await import('@codemirror/lang-html')).html({ autoCloseTags: false }),
  ),
  language('CSS', 'css', async () => (await import('@codemirror/lang-css')).css()),
  language('JavaScript', 'js mjs cjs jsx ecmascript', async () =>
    (await javascript()).javascript({ jsx: true }),
  ),
  language('TypeScript', 'ts mts cts', async () => (await javascript()).javascript({ typescript: true })),
  language('TSX', 'tsx', async () => (await javascript()).javascript({ typescript: true, jsx: true })),
  language(
    'INI',
    'ini conf cfg properties env desktop',
    async () => (await import('@codemirror/legacy-modes/mode/properties')).properties,
  ),
  language('TOML', 'toml', async () => (await import('@codemirror/legacy-modes/mode/toml')).toml),
  language('Shell', 'sh bash zsh', async () => (await import('@codemirror/legacy-modes/mode/shell')).shell),
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
