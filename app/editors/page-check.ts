// Requests the editor's page: whether it responds, and whether a browser may show it inside a host page.

import { faultOf } from './editor-fault.ts';
import type { EditorRequest } from './editor-request.ts';
import { allowsFraming } from './frame-policy.ts';
import { isLoopbackHost } from '../contract/addresses.ts';
import { finding, good, ofFault, pageNotFramed, type Finding, type FindingPlace } from './findings.ts';

/** A form that is posted to the editor's page. */
export interface PageForm {
  action: string;
  accessToken: string;
  accessTokenTtl: number;
}

export interface PageCheck {
  state: 'passed' | 'warned' | 'failed';
  finding: Finding;
  /** The server doesn't respond. */
  isUnreachable?: boolean;
  /** It responds with an error: perhaps because it couldn't call this host. */
  hasResponded?: boolean;
}

export interface PageCheckInput {
  request: EditorRequest;
  place: FindingPlace;
  form: PageForm;
  /** Origin of the page around it. */
  within: string;
  limitMs: number;
  signal: AbortSignal;
}

export async function checkPage({
  request,
  place,
  form,
  within,
  limitMs,
  signal,
}: PageCheckInput): Promise<PageCheck> {
  const body = new URLSearchParams({
    access_token: form.accessToken,
    access_token_ttl: String(form.accessTokenTtl),
  });
  try {
    const { status, headers } = await request({
      url: form.action,
      method: 'POST',
      contentType: 'application/x-www-form-urlencoded',
      body: body.toString(),
      signal,
      limitMs,
    });
    if (status >= 300 && status < 400) {
      const origin = URL.parse(headers.location ?? '', form.action)?.origin;
      const found =
        origin === undefined
          ? finding('page-redirected', place, { sentence: 'host.page-redirects-elsewhere' })
          : finding('page-redirected', place, { values: { origin } });
      return { state: 'warned', finding: found };
    }
    if (status >= 400) {
      const remedy = status >= 500 ? 'host.check-log-and-proxy' : 'host.check-log-for-reason';
      const found = finding('page-status', place, { values: { status }, remedy });
      return { state: 'failed', hasResponded: true, finding: found };
    }
    if (isMixed(form.action, within))
      return { state: 'failed', finding: finding('page-mixed', place, { values: { origin: within } }) };
    if (!allowsFraming(headers, form.action, within))
      return { state: 'failed', finding: pageNotFramed(place, within, form.action) };
    return { state: 'passed', finding: good('host.page-loads', { origin: within }) };
  } catch (error) {
    signal.throwIfAborted();
    const check = pageCheckOf(error);
    if (check === undefined) throw error;
    return check;
  }
}

/** Browsers don't show HTTP content inside an HTTPS page, except from their own computer. */
function isMixed(action: string, within: string): boolean {
  const { protocol, hostname } = new URL(action);
  return within.startsWith('https:') && protocol === 'http:' && !isLoopbackHost(hostname);
}

/** Why the page couldn't be requested; undefined if that isn't the editor's fault. */
export function pageCheckOf(error: unknown): PageCheck | undefined {
  const fault = faultOf(error);
  if (fault === undefined) return undefined;
  // A page that takes too long may be waiting for its own call to this host.
  const hasResponded = fault.code === 'timed-out' || fault.code === 'status';
  return { state: 'failed', hasResponded, isUnreachable: !hasResponded, finding: ofFault(fault) };
}

/** For any other error from a window. */
export function failedPageCheck(place: FindingPlace, error: unknown): PageCheck {
  const text = error instanceof Error ? error.message : String(error);
  const reason = text.split('\n', 1)[0]?.slice(0, 200).replace(/\.$/u, '') ?? '';
  return { state: 'failed', finding: finding('page-failed', place, { values: { reason } }) };
}
