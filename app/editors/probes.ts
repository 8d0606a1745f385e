// Hidden documents that exist only while a connection is tested. An editor that calls for one has shown that it reaches this
// host; other clients don't know its id, and would see only a line of text. They contain nothing of the user's.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../contract/clock.ts';
import { newFileId } from '../files/file-id.ts';
import type { DiscoveryAction, Editor } from '../store/editors.ts';
import { unauthorized, type WopiAnswer } from '../wopi/wopi-call.ts';
import type { ReadHeader } from '../wopi/wopi-headers.ts';
import { calledUrls, checkProof, type CallVerdict } from './caller-check.ts';
import type { Editors } from './editors.ts';

/** What is known about an editor's call. */
export interface ProbeCall {
  clientAddress: string;
  /** `scheme://host` as the client sent it. */
  receivedBase: string;
  verdict: CallVerdict;
  /** How far the editor's clock is ahead; null if its call has no timestamp. */
  clockSkewMs: number | null;
}

export interface Probe {
  /** Same format as any other. */
  fileId: string;
  token: string;
  /** The first call with the token. */
  firstCall: Promise<ProbeCall>;
  /** The same; undefined until it arrives. */
  call(): ProbeCall | undefined;
  /** The addresses of clients that requested the document without its token: they did reach this host. */
  tokenlessCallers: readonly string[];
  /** From now on the document doesn't exist. */
  end(): void;
}

export interface ProbeRequest {
  fileId: string;
  token: string | undefined;
  method: string;
  /** The address ends in `/contents`. */
  hasContents: boolean;
  header: ReadHeader;
  /** Path and query as received. */
  target: string;
  receivedBase: string;
  /** See `EditorCall`. */
  isOwnPort: boolean;
  clientAddress: string;
}

export interface Probes {
  begin(editorId: string, extension: string): Probe;
  /** Undefined: not a probe. */
  answer(request: ProbeRequest): WopiAnswer | undefined;
}

export interface ProbesDeps {
  clock: Clock;
  editors: Pick<Editors, 'byId'>;
  /** The base address of that editor. */
  baseUrlOf: (editorId: string) => string;
}

interface Running {
  editorId: string;
  token: string;
  extension: string;
  tokenlessCallers: string[];
  called: (call: ProbeCall) => void;
}

/** Any client may call while a test runs. */
const maxTokenlessCallers = 100;

const bytes = Buffer.from('DocTray connection test\n');

export function createProbes(deps: ProbesDeps): Probes {
  const running = new Map<string, Running>();

  const callOf = ({ editorId, token }: Running, request: ProbeRequest): ProbeCall => {
    const { header, clientAddress, receivedBase } = request;
    const keys = deps.editors.byId(editorId)?.discovery.proofKeys ?? null;
    const urls = calledUrls(request, deps.baseUrlOf(editorId));
    return { ...checkProof({ keys, token, urls, header, nowMs: deps.clock() }), clientAddress, receivedBase };
  };

  return {
    begin(editorId, extension) {
      const fileId = newFileId();
      const token = randomBytes(32).toString('base64url');
      const { promise: firstCall, resolve } = Promise.withResolvers<ProbeCall>();
      let first: ProbeCall | undefined;
      const called = (call: ProbeCall): void => resolve((first ??= call));
      const tokenlessCallers: string[] = [];
      running.set(fileId, { editorId, token, extension, tokenlessCallers, called });
      const end = (): void => void running.delete(fileId);
      return { fileId, token, firstCall, call: () => first, tokenlessCallers, end };
    },

    answer(request) {
      const probe = running.get(request.fileId);
      if (probe === undefined) return undefined;
      if (!isSame(request.token ?? '', probe.token)) {
        if (probe.tokenlessCallers.length < maxTokenlessCallers)
          probe.tokenlessCallers.push(request.clientAddress);
        return unauthorized;
      }
      probe.called(callOf(probe, request));
      return answerTo(probe, request);
    },
  };
}

/** A type that the editor can show, the simplest first; undefined if it shows none. */
export function probeAction({ discovery }: Pick<Editor, 'discovery'>): DiscoveryAction | undefined {
  const { actions } = discovery;
  const shown = ['view', 'edit'].flatMap((name) =>
    actions.filter((action) => action.name === name && action.extension !== ''),
  );
  const simplest = ['docx', 'odt', 'xlsx', 'ods', 'pptx', 'odp', 'txt'].map((extension) =>
    shown.find((action) => action.extension === extension),
  );
  return [...simplest, ...shown].find((action) => action !== undefined);
}

/** Enough for the editor to show its page: once it has called, the test is over. Nothing can be locked or written. */
function answerTo({ extension }: Running, { method, hasContents }: ProbeRequest): WopiAnswer {
  if (method === 'POST') return { status: 501 };
  if (hasContents) return { status: 200, bytes };
  const json = {
    BaseFileName: `DocTray connection test.${extension}`,
    OwnerId: 'doctray',
    UserId: 'doctray',
    UserFriendlyName: 'DocTray',
    Size: bytes.length,
    Version: '1',
    UserCanWrite: false,
    ReadOnly: true,
    UserCanNotWriteRelative: true,
  };
  return { status: 200, json };
}

function isSame(given: string, token: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(token);
  return left.length === right.length && timingSafeEqual(left, right);
}
