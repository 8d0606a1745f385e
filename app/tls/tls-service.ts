// The certificate the listener uses, from the current settings. A new one that can't be used never replaces a working one: the
// old one stays, and `problem` says what is wrong. Without any certificate DocTray doesn't serve the network, since the user
// asked for TLS there.

import { X509Certificate } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../contract/clock.ts';
import { AppError, messageFor } from '../contract/errors.ts';
import type { Events } from '../contract/events.ts';
import { t } from '../contract/messages.ts';
import type { Problem, TlsState } from '../contract/state.ts';
import { createKeyedMutex } from '../files/keyed-mutex.ts';
import type { Logger } from '../log/logger.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { SettingsStore } from '../settings/load-settings.ts';
import type { SettingKey } from '../settings/settings.ts';
import { createCertificateFiles } from './certificate-files.ts';
import { CertificateFault, type CheckedCertificate, type KeyAndCertificate } from './key-and-certificate.ts';
import { createLocalAuthority } from './local-authority.ts';

export interface TlsService {
  /** As of the last check. */
  state(): TlsState;
  /** What to serve; the same object until the certificate changes. Undefined while TLS is off, or there is no certificate. */
  context(): KeyAndCertificate | undefined;
  /** Reads what changed: files, names, dates. Cheap if nothing did; never rejects. */
  check(): Promise<void>;
  /**
   * Creates the local authority if there is none that can sign, and sets `tls` to use it.
   * @throws AppError certificate-invalid, settings-invalid; what the secret store throws
   */
  useLocalAuthority(): Promise<void>;
  /** PEM, for editors and browsers to trust. @throws AppError authority-missing */
  authorityCertificate(): Promise<string>;
}

export interface TlsDeps {
  dataDir: string;
  settings: Pick<SettingsStore, 'current' | 'update'>;
  events: Pick<Events, 'emit' | 'on'>;
  secrets: Pick<Secrets, 'get' | 'set'>;
  clock: Clock;
  /** The names for the local authority's certificate. @see certificate-names.ts */
  names: () => readonly string[];
  log: Pick<Logger, 'info' | 'warn'>;
}

const warnMs = 14 * 24 * 60 * 60 * 1000;
const watched: readonly SettingKey[] = ['tls', 'tlsCertificate', 'tlsKey', 'publicUrl', 'allowedHosts'];

export function createTls(deps: TlsDeps): TlsService {
  const { settings, events, clock, log } = deps;
  const authority = createLocalAuthority({
    ...deps,
    directory: join(deps.dataDir, 'tls'),
    hostname: hostname(),
  });
  const files = createCertificateFiles({ clock, warn: (sentence) => log.warn({}, sentence) });
  const checks = createKeyedMutex();
  let mode: TlsState['mode'] = settings.current().tls;
  let current: CheckedCertificate | undefined;
  let fault: CertificateFault | AppError | undefined;
  /** Names of this host that the local authority may not sign for. */
  let leftOut: readonly string[] = [];
  let fingerprint: string | null = null;
  let reported = '';

  const find = async (): Promise<CheckedCertificate | undefined> => {
    const { tlsCertificate, tlsKey } = settings.current();
    if (mode === 'files') return files.read({ certificate: tlsCertificate, key: tlsKey });
    const names = deps.names();
    if ((await authority.certificate()) === undefined) await authority.create(names);
    const { certificate, leftOut: left } = await authority.hostCertificate(names);
    leftOut = left;
    return certificate;
  };

  const readAgain = async (): Promise<void> => {
    const { tls } = settings.current();
    if (tls !== mode) {
      // The previous certificate stays in use if the new setting provides none.
      mode = tls;
      files.forget();
    }
    if (mode === 'off') {
      current = undefined;
      fault = undefined;
      files.forget();
      return;
    }
    leftOut = [];
    try {
      const found = await find();
      fault = undefined;
      if (found !== undefined && found.served.cert !== current?.served.cert) {
        current = found;
        log.info(
          { names: found.names, validUntil: new Date(found.validUntilMs).toISOString() },
          'HTTPS uses a new certificate.',
        );
      }
    } catch (error) {
      const found =
        error instanceof CertificateFault || error instanceof AppError
          ? error
          : new CertificateFault('host.tls-cant-be-read-or-created');
      if (found.message !== fault?.message)
        log.warn({ err: error }, `The HTTPS certificate can’t be used. ${found.message}`);
      fault = found;
    }
  };

  const problem = (): Problem | null => {
    if (mode === 'off') return null;
    const nowMs = clock();
    if (current === undefined) {
      const reason = fault === undefined ? t('host.tls-no-certificate-yet') : sentenceOf(fault);
      return { code: 'certificate-invalid', message: t('host.tls-not-working', { reason }) };
    }
    if (fault !== undefined) {
      const reason = sentenceOf(fault);
      return { code: 'certificate-invalid', message: t('host.tls-previous-certificate-used', { reason }) };
    }
    if (leftOut.length > 0) {
      const names = leftOut.slice(0, 3).join(', ');
      return { code: 'certificate-invalid', message: t('host.tls-names-not-covered', { names }) };
    }
    const day = new Date(current.validUntilMs);
    if (current.validUntilMs <= nowMs) {
      return { code: 'certificate-expired', message: t('host.tls-expired', { day }) };
    }
    if (current.validUntilMs - nowMs < warnMs) {
      return { code: 'certificate-ending', message: t('host.tls-expires', { day }) };
    }
    return null;
  };

  const state = (): TlsState => ({
    mode,
    names: current === undefined ? [] : [...current.names],
    validUntilMs: current?.validUntilMs ?? null,
    problem: problem(),
    authorityFingerprint: fingerprint,
  });

  const emitIfChanged = (): void => {
    // Not its sentences, which depend on the caller's language.
    const now = JSON.stringify([
      { ...state(), problem: problem()?.code },
      fault?.message,
      current?.served.cert,
    ]);
    if (now === reported) return;
    const isFirst = reported === '';
    reported = now;
    if (!isFirst) events.emit({ event: 'host-changed' });
  };

  const check = (): Promise<void> =>
    checks.run('', async () => {
      await readAgain();
      fingerprint = await fingerprintOf(authority.certificate());
      emitIfChanged();
    });

  events.on('settings-changed', ({ keys }) => {
    if (keys.some((key) => watched.some((one) => one === key))) void check();
  });

  return {
    state,
    context: () => current?.served,
    check,

    async useLocalAuthority() {
      await checks.run('', () => authority.create(deps.names()));
      await settings.update({ tls: 'local-authority' });
      await check();
      if (fault !== undefined) throw new AppError('certificate-invalid', { detail: sentenceOf(fault) });
    },

    async authorityCertificate() {
      const certificate = await authority.certificate();
      if (certificate === undefined) throw new AppError('authority-missing');
      return certificate;
    },
  };
}

function sentenceOf(fault: CertificateFault | AppError): string {
  return fault instanceof CertificateFault ? fault.sentence : messageFor('window', fault);
}

/** As browsers show it: SHA-256, in pairs of digits. */
async function fingerprintOf(certificate: Promise<string | undefined>): Promise<string | null> {
  try {
    const text = await certificate;
    return text === undefined ? null : new X509Certificate(text).fingerprint256;
  } catch {
    return null;
  }
}
