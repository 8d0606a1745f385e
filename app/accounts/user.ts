// The rules for login and display name.

import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { isSafeText } from '../contract/names.ts';

const loginPattern = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;
const maxDisplayNameCharacters = 128;

/** @throws AppError login-invalid */
export function assertLogin(login: string): void {
  if (!loginPattern.test(login)) throw new AppError('login-invalid');
}

/** Trimmed and in NFC; defaults to the login. @throws AppError invalid-argument */
export function cleanDisplayName(text: string | undefined, login: string): string {
  const name = (text ?? '').normalize('NFC').trim();
  if (name === '') return login;
  if (!isSafeText(name) || Array.from(name).length > maxDisplayNameCharacters) {
    throw new AppError('invalid-argument', {
      detail: () => t('host.display-name-invalid', { count: maxDisplayNameCharacters }),
    });
  }
  return name;
}
