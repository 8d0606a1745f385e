// Connected editors: one that can't be reached and one whose test failed; and a certificate that has expired.

import { t } from '../../../../app/contract/messages.ts';
import { quiet } from '../basic-answers.ts';
import { makeCollabora, makeEditor, makeFailedTest } from '../editors.ts';
import { day, hour, minute } from '../rows.ts';

/** Both editors need attention. */
function editorsPoor(nowMs: number) {
  const gone = {
    code: 'refused',
    sentence: 'Nothing is listening at office.example.org:9980 (connection refused).',
    sinceMs: nowMs - 2 * hour,
  };
  const validUntilMs = nowMs - 3 * day;
  const problem = {
    code: 'certificate-expired',
    message: t('host.tls-expired', { day: new Date(validUntilMs) }),
  };
  return quiet(nowMs, {
    host: {
      tls: {
        mode: 'files',
        names: ['docs.example.org'],
        validUntilMs,
        problem,
        authorityFingerprint: null,
      },
    },
    settings: {
      tls: 'files',
      tlsCertificate: '/etc/ssl/doctray/fullchain.pem',
      tlsKey: '/etc/ssl/doctray/privkey.pem',
    },
    editors: [
      makeEditor(nowMs, {
        publicUrl: null,
        effectiveUrl: 'http://127.0.0.1:8790',
        hasProofKeys: false,
        lastTest: makeFailedTest('a1b2c3d4', nowMs - 8 * minute),
      }),
      makeCollabora(nowMs, { problem: gone }),
    ],
  });
}

export const editorScenarios = { 'editors-poor': editorsPoor };
