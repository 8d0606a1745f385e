// The host's HTML. External text (document names, error sentences) is escaped here, and a page contains no token: its script
// fetches one.

import type { AccessMode } from '../../store/access-tokens.ts';
import { currentLocale, t } from '../../contract/messages.ts';
import { splitName } from '../../contract/names.ts';

/** The relative path from a page to the host's root: `../` for `/edit/ID`. */
export type RootPath = '' | '../' | '../../';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (character) => escapes[character] ?? '');
}

/** `react-aria-pressable-style`: otherwise React Aria adds a style, which the content security policy blocks. */
function page(input: { title: string; root: RootPath; bodyClass: string; body: string }): string {
  const assets = `${input.root}host-page/`;
  return `<!doctype html>
<html lang="${currentLocale()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(input.title)} – DocTray</title>
<meta id="react-aria-pressable-style">
<link rel="icon" href="${assets}icon.svg">
<link rel="stylesheet" href="${assets}host-page.css">
</head>
<body class="${input.bodyClass}">
${input.body}
</body>
</html>
`;
}

/** A page with text only, or with a button that downloads the document from `download`, relative to the page. */
export function textPage(input: {
  title: string;
  texts: readonly string[];
  root: RootPath;
  download?: string;
}): string {
  const { title, download } = input;
  const texts = input.texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n');
  const form =
    download === undefined
      ? ''
      : `<form method="post" action="${escapeHtml(download)}"><button class="button button-primary">${escapeHtml(t('common.download'))}</button></form>\n`;
  const body = `<main class="stack">\n<h1>${escapeHtml(title)}</h1>\n${texts}\n${form}</main>`;
  return page({ ...input, bodyClass: 'words-page', body });
}

/** Where an editor's page leads when it is closed. The script adds when the document was saved. */
export function closedPage(): string {
  const title = t('common.the-document-is-closed');
  const body = `<main class="stack" data-closed>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(t('common.you-can-close-this-tab'))}</p>
</main>
<script type="module" src="host-page/host-page.js"></script>`;
  return page({ title, root: '', bodyClass: 'words-page', body });
}

/** `action`: where the form is submitted, relative to the page. */
export function signInPage(input: { action: string; alert: string | undefined; root: RootPath }): string {
  const { root } = input;
  const alert = input.alert === undefined ? '' : `<p role="alert">${escapeHtml(input.alert)}</p>\n`;
  const body = `<main class="stack">
<h1>${escapeHtml(t('web.sign-in-to-open-the'))}</h1>
<p>${escapeHtml(t('web.use-your-doctray-user-name'))}</p>
${alert}<form class="stack" method="post" action="${escapeHtml(input.action)}">
<label class="field field-label">${escapeHtml(t('common.user-name'))} <input class="input" name="userName" autocomplete="username" autocapitalize="none" maxlength="1024" required autofocus></label>
<label class="field field-label">${escapeHtml(t('common.password'))} <input class="input" name="password" type="password" autocomplete="current-password" maxlength="4096" required></label>
<button class="button button-primary">${escapeHtml(t('web.sign-in'))}</button>
</form>
</main>`;
  return page({ title: t('web.sign-in'), root, bodyClass: 'words-page', body });
}

/** The page that frames an editor, with the bar as it looks until its script has loaded; its icon would delay the first paint. `origins`: whose pages may use clipboard and
 * full screen in the frame. */
export function editorPage(input: {
  name: string;
  mode: AccessMode;
  fileId: string;
  origins: readonly string[];
}): string {
  const name = escapeHtml(input.name);
  const [stem, end] = splitName(input.name).map(escapeHtml);
  const origins = escapeHtml(input.origins.join(' '));
  const allowed = ['clipboard-read', 'clipboard-write', 'fullscreen'].map((one) => `${one} ${origins}`);
  const body = `<main id="page" data-name="${name}" data-mode="${input.mode}" data-file-id="${escapeHtml(input.fileId)}"><header class="bar"><span class="mark"></span><div class="name-and-status grow"><h1><button type="button" class="name" disabled aria-label="${name}"><span class="stem">${stem}</span><span class="end">${end}</span></button></h1><div class="state"><p role="status">${escapeHtml(t('common.opening'))}</p></div></div></header></main>
<iframe name="editor" title="${name}" allow="${allowed.join('; ')}"></iframe>
<script type="module" src="../host-page/host-page.js"></script>
<link rel="modulepreload" href="../host-page/page.js" fetchpriority="low">`;
  return page({ title: input.name, root: '../', bodyClass: 'editor-page', body });
}
