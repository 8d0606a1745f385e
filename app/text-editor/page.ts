// The pages of the text editor's origin and their policies. Documents are untrusted: a page runs only the editor's own script,
// connects only to this origin, and can be framed only by the host's pages.

import { currentLocale, t } from '../contract/messages.ts';
import { cspSource } from '../server/pages/csp.ts';
import { escapeHtml } from '../server/pages/html.ts';

/** What the page's script starts with. */
export interface TextEditorSession {
  fileId: string;
  accessToken: string;
  /** Epoch milliseconds, not a duration, like WOPI's access_token_ttl; 0: it doesn't expire, or that isn't known. */
  accessTokenTtl: number;
  action: 'edit' | 'view';
  styleNonce: string;
}

/** `react-aria-pressable-style`: otherwise React Aria adds a style, which the content security policy blocks. */
export function sessionPage(session: TextEditorSession): string {
  // Nothing in it can close the element.
  const json = JSON.stringify(session).replaceAll('<', String.raw`\u003c`);
  return `<!doctype html>
<html lang="${currentLocale()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(t('host.text-editor'))} – DocTray</title>
<meta id="react-aria-pressable-style">
<link rel="stylesheet" href="/assets/text-editor.css">
<script type="application/json" id="session">${json}</script>
<script type="module" src="/assets/text-editor.js"></script>
<link rel="modulepreload" href="/assets/page.js" fetchpriority="low">
</head>
<body>
<div id="app">
<div id="above"><header class="bar"></header></div>
<main id="body"></main>
<div id="below"></div>
</div>
</body>
</html>
`;
}

/** Without script and style: it's also shown when they couldn't be built. */
export function messagePage(title: string, text: string): string {
  return `<!doctype html>
<html lang="${currentLocale()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} – DocTray</title>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
</body>
</html>
`;
}

/** @param framedBy origins of the host's pages */
export function sessionHeaders(styleNonce: string, framedBy: readonly string[]): Record<string, string> {
  return pageHeaders([
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${styleNonce}'`,
    "connect-src 'self'",
    'img-src blob:',
    "frame-src 'self' blob:",
    "font-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${sources(framedBy)}`,
    // Only sanitized Markdown is ever set as HTML.
    "require-trusted-types-for 'script'",
    'trusted-types dompurify',
  ]);
}

export function messageHeaders(framedBy: readonly string[]): Record<string, string> {
  return pageHeaders([
    "default-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${sources(framedBy)}`,
  ]);
}

/**
 * The frame that previews a .docx. It has no origin, gets the bytes by a message, and can load only its own script.
 * @param origin the text editor's, as the browser sees it
 * @param framedBy origins of the host's pages around it
 */
export function previewHeaders(origin: string, framedBy: readonly string[]): Record<string, string> {
  return pageHeaders([
    'sandbox allow-scripts',
    "default-src 'none'",
    // 'self' doesn't match in a frame without an origin in every browser.
    `script-src 'self' ${cspSource(origin)}`,
    "style-src 'unsafe-inline'",
    'img-src blob: data:',
    'font-src blob: data:',
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${sources([origin, ...framedBy])}`,
  ]);
}

function pageHeaders(policy: readonly string[]): Record<string, string> {
  return {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy.join('; '),
    'Content-Type': 'text/html; charset=utf-8',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
}

function sources(origins: readonly string[]): string {
  return origins.length === 0 ? "'none'" : [...new Set(origins.map(cspSource))].join(' ');
}
