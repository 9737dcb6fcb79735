import type { Mail } from '../../core/access/users/mailer.ts';
import { AppError } from '../../core/kernel/errors.ts';

/** One address and nothing else: no list, no name, no comment, no line break. */
const ADDRESS = /^[^\s,;:<>()"[\]\\@\p{Cc}]{1,64}@[^\s,;:<>()"[\]\\@\p{Cc}]{1,255}$/u;
const MAX_SUBJECT = 200;

/** A mail whose address and subject are one line each, so that neither can add a header or a recipient. */
export function checkedMail({ to, subject, text }: Mail): Mail {
  if (!ADDRESS.test(to)) throw new AppError('invalid', 'mail_address_invalid', 'the address of the mail is not one address');
  return { to, subject: subject.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, MAX_SUBJECT), text };
}
