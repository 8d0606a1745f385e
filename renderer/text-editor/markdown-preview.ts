// The Markdown preview beside the text. What a document says becomes a handful of harmless elements: no script, no style, no form, no
// image from anywhere, no address to load from. The page's content security policy forbids the same things a second time.

import type { Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { t } from '../../app/contract/messages.ts';
import { recall, remember } from './storage.ts';

export type MarkdownPreview = ReturnType<typeof createMarkdownPreview>;

/** Above it, a preview would take longer than anybody waits. */
const maxLength = 500_000;
const delayMs = 120;
/** A long document is drawn less often, so that typing stays quick. */
const restFactor = 5;
/** Narrower, text and preview take turns in little room: it is shown on demand. */
const wideEnough = 900;
const shownKey = 'doctray-preview';

export function createMarkdownPreview(body: HTMLElement, view: EditorView) {
  const content = document.createElement('div');
  content.className = 'markdown';
  const pane = document.createElement('section');
  pane.className = 'preview';
  pane.tabIndex = 0;
  pane.ariaLabel = t('editor.preview');
  pane.append(content);
  body.append(pane);
  let rendered: Text | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** How long the latest drawing took. */
  let drawMs = 0;
  let render: ((markdown: string) => string | TrustedHTML) | undefined;

  function schedule(): void {
    if (pane.hidden || timer !== undefined || view.state.doc === rendered) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        void draw();
      },
      Math.max(delayMs, drawMs * restFactor),
    );
  }

  async function draw(): Promise<void> {
    let startedAtMs = performance.now();
    try {
      render ??= (await import('./markdown.ts')).renderMarkdown;
      startedAtMs = performance.now();
      const { doc } = view.state;
      const isFirst = rendered === undefined;
      rendered = doc;
      if (doc.length > maxLength) {
        say(t('editor.the-preview-isnt-shown-for'));
        return;
      }
      const hadFocus = content.contains(document.activeElement);
      content.innerHTML = render(doc.toString()) as string;
      nameHeadings(content);
      // The focused link is gone: without this, Tab would start at the top of the page.
      if (hadFocus) pane.focus({ preventScroll: true });
      if (isFirst) followText();
    } catch {
      say(t('editor.this-document-cant-be-previewed'));
    } finally {
      drawMs = performance.now() - startedAtMs;
    }
  }

  function say(sentence: string): void {
    const paragraph = document.createElement('p');
    paragraph.textContent = sentence;
    content.replaceChildren(paragraph);
  }

  /** The address of the page stays: the browser would keep an entry of its history for each link. */
  function followLink(event: MouseEvent): void {
    const link = (event.target as Element).closest('a[href^="#"]');
    if (link === null) return;
    event.preventDefault();
    const fragment = fragmentOf(link);
    const name = CSS.escape(documentName + fragment);
    const target = content.querySelector<HTMLElement>(`[id="${name}" i], [name="${name}" i]`);
    if (fragment === '' || fragment === 'top') pane.scrollTop = 0;
    if (target === null) return;
    target.scrollIntoView();
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }
  content.addEventListener('click', followLink);
  content.addEventListener('auxclick', (event) => {
    // Only the middle button opens links.
    if (event.button === 1) followLink(event);
  });

  /** Shows the block whose lines are at the top of the text. */
  function followText(): void {
    const { top, from, height } = view.lineBlockAtHeight(view.scrollDOM.scrollTop);
    const { lines } = view.state.doc;
    const part = height === 0 ? 0 : (view.scrollDOM.scrollTop - top) / height;
    const line = view.state.doc.lineAt(from).number + part;
    const blocks = [...content.querySelectorAll<HTMLElement>(':scope > [data-line]')].map((block) => ({
      line: Number(block.dataset['line']),
      top: block.offsetTop,
    }));
    // The first line belongs to the top, above the padding.
    const marks = [{ line: 1, top: 0 }, ...blocks.filter((block) => block.line > 1)];
    const next = marks.find((mark) => mark.line > line) ?? { line: lines + 1, top: content.scrollHeight };
    const before = marks.findLast((mark) => mark.line <= line) ?? next;
    const share = (line - before.line) / (next.line - before.line || 1);
    pane.scrollTop = before.top + share * (next.top - before.top);
  }
  view.scrollDOM.addEventListener('scroll', () => {
    if (!pane.hidden) followText();
  });

  function setShown(isShown: boolean): void {
    pane.hidden = !isShown;
    body.classList.toggle('has-preview', isShown);
    if (isShown) schedule();
  }

  const remembered = recall(shownKey);
  setShown(remembered === null ? innerWidth >= wideEnough : remembered === 'true');

  return {
    isShown: () => !pane.hidden,
    setShown(isShown: boolean) {
      setShown(isShown);
      remember(shownKey, String(isShown));
    },
    /** The text may have changed. */
    update: schedule,
    close() {
      clearTimeout(timer);
      pane.remove();
      body.classList.remove('has-preview');
    },
  };
}

/** What DOMPurify puts before a document's ids and names. */
const documentName = 'user-content-';

/** Gives each heading an id as GitHub does. */
function nameHeadings(content: HTMLElement): void {
  const names = new Set<string>();
  for (const heading of content.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6')) {
    const slug = slugOf(heading.textContent);
    let unique = slug;
    for (let count = 1; names.has(unique); count += 1) unique = `${slug}-${count}`;
    names.add(unique);
    heading.id ||= documentName + unique;
  }
}

/** `Größe & C++` becomes `größe--c`. */
function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

function fragmentOf(link: Element): string {
  const fragment = link.getAttribute('href')?.slice(1) ?? '';
  try {
    return decodeURIComponent(fragment).toLowerCase();
  } catch {
    return fragment;
  }
}
