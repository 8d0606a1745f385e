// Requests the editor's page: whether it responds, and whether a browser may show it inside a host page.

import { faultOf } from './editor-fault.ts';
import type { EditorRequest } from './editor-request.ts';
import { allowsFraming } from './frame-policy.ts';
import { isMixedContent } from '../contract/addresses.ts';
import { finding, good, ofFault, type Finding, type FindingPlace } from './findings.ts';

/** A form that is posted to the editor's page. */
export interface PageForm {
  action: string;
  accessToken: string;
  accessTokenTtl: number;
}

export interface PageCheck {
  /** `unsure`: it responds with an error, perhaps because it couldn't call this host. `unreachable`: no call can come. */
  state: 'passed' | 'warned' | 'failed' | 'unsure' | 'unreachable';
  finding: Finding;
}

export interface PageCheckInput {
  request: EditorRequest;
  place: FindingPlace;
  form: PageForm;
  /** Origin of the page around it. */
  within: string;
  limitMs: number;
}

export async function checkPage(input: PageCheckInput): Promise<PageCheck> {
  const { request, place, form, within: origin, limitMs } = input;
  const { action, accessToken, accessTokenTtl } = form;
  const body = new URLSearchParams({ access_token: accessToken, access_token_ttl: String(accessTokenTtl) });
  try {
    const { status, headers } = await request({
      url: action,
      method: 'POST',
      contentType: 'application/x-www-form-urlencoded',
      body: body.toString(),
      limitMs,
    });
    const { location } = headers;
    if (status >= 400 || (status >= 300 && location === undefined))
      return { state: 'unsure', finding: finding('page-status', place, { status }) };
    if (location !== undefined && status >= 300) {
      const to = URL.parse(location, action)?.origin ?? location;
      return { state: 'warned', finding: finding('page-redirected', place, { origin: to }) };
    }
    if (isMixedContent(action, origin))
      return { state: 'failed', finding: finding('page-mixed', place, { origin }) };
    if (!allowsFraming(headers, action, origin)) {
      const code = place.editor.kind === 'collabora' ? 'collabora-not-framed' : 'page-not-framed';
      return { state: 'failed', finding: finding(code, place, { origin }) };
    }
    return { state: 'passed', finding: good('host.page-loads', { origin }) };
  } catch (error) {
    const check = pageCheckOf(error);
    if (check === undefined) throw error;
    return check;
  }
}

/** Why the page couldn't be requested; undefined if that isn't the editor's fault. */
function pageCheckOf(error: unknown): PageCheck | undefined {
  const fault = faultOf(error);
  if (fault === undefined) return undefined;
  // A page that takes too long may be waiting for its own call to this host.
  const isUnsure = fault.code === 'timed-out' || fault.code === 'status';
  return { state: isUnsure ? 'unsure' : 'unreachable', finding: ofFault(fault) };
}

/** Why a window couldn't show the page. */
export function windowCheckOf(place: FindingPlace, error: unknown): PageCheck {
  const text = error instanceof Error ? error.message : String(error);
  const reason = text.split('\n', 1)[0]?.slice(0, 200).replace(/\.$/u, '') ?? '';
  return pageCheckOf(error) ?? { state: 'unreachable', finding: finding('page-failed', place, { reason }) };
}
