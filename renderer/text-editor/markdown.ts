// Markdown to harmless HTML. marked writes whatever the document says; DOMPurify keeps only what is listed here.

import DOMPurify from 'dompurify';
import { marked, type Token } from 'marked';
import { t } from '../../app/contract/messages.ts';

const allowedTags = (
  'h1 h2 h3 h4 h5 h6 p br hr blockquote pre code div span ul ol li dl dt dd table thead tbody tfoot tr th td caption ' +
  'em strong b i u s del ins sub sup kbd mark small abbr a input details summary'
).split(' ');
/** Of these, no value is an address. */
const plainAttributes =
  'title align start colspan rowspan open type checked id name data-line data-image'.split(' ');

DOMPurify.addHook('uponSanitizeElement', (node) => {
  if (!(node instanceof Element)) return;
  // the description in place of the picture
  if (node.localName === 'img' || node.localName === 'image') {
    const placeholder = node.ownerDocument.createElement('span');
    placeholder.setAttribute('data-image', '');
    const description = node.getAttribute('alt')?.trim() ?? '';
    placeholder.textContent =
      description === '' ? t('editor.image') : t('editor.image-description', { description });
    node.replaceWith(placeholder);
  }
});
DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  // A link to a heading stays in the preview.
  if (node.localName === 'a' && node.getAttribute('href')?.startsWith('#') === false) {
    node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer');
  }
  // the check boxes of task lists show, they can't be set
  if (node.localName === 'input') {
    node.setAttribute('type', 'checkbox');
    node.setAttribute('disabled', '');
    node.setAttribute('aria-label', t(node.hasAttribute('checked') ? 'editor.done' : 'editor.to-do'));
  }
});

/**
 * The HTML of a document. Each of its blocks has its first line in `data-line`.
 * @throws RangeError if blocks are nested too deeply
 */
export function renderMarkdown(markdown: string): TrustedHTML {
  let line = 1;
  const blocks: string[] = [];
  for (const token of marked.lexer(markdown, { gfm: true })) {
    if (token.type !== 'space')
      blocks.push(`<div data-line="${line}">${marked.parser([token satisfies Token])}</div>`);
    line += countLines(token.raw);
  }
  return DOMPurify.sanitize(blocks.join('\n'), {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: ['href', ...plainAttributes],
    ADD_URI_SAFE_ATTR: plainAttributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#)/i,
    // Puts `user-content-` before ids and names, which keeps them apart from those of the page.
    SANITIZE_NAMED_PROPS: true,
    RETURN_TRUSTED_TYPE: true,
  });
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
