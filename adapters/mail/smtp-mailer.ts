import { createTransport } from 'nodemailer';
import type { Mail, Mailer } from '../../core/access/users/mailer.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { checkedMail } from './checked-mail.ts';

const STEP_MS = 10_000;
const WHOLE_MS = 30_000;
const RETRY_SECONDS = 60;
const NAMED = /^\s*(?<name>[^<>]*?)\s*<(?<address>[^<>]+)>\s*$/;
const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/;

interface Address {
  readonly name: string;
  readonly address: string;
}

export interface SmtpSettings {
  /** `smtps://user:password@host:port`, or `smtp://` to begin in clear and change to TLS where the server offers it. */
  readonly url: string;
  readonly from: string;
  /** How long the server may be silent. */
  readonly stepMs?: number;
  /** How long handing over one mail may take. */
  readonly wholeMs?: number;
}

/** Hands each mail to a mail server. Nothing of the URL is ever told: it holds a password. */
export class SmtpMailer implements Mailer {
  readonly #transport: ReturnType<typeof openTransport>;
  readonly #from: Address;
  readonly #wholeMs: number;

  constructor(settings: SmtpSettings) {
    this.#transport = openTransport(settings);
    this.#from = toAddress(settings.from);
    this.#wholeMs = settings.wholeMs ?? WHOLE_MS;
  }

  async send(mail: Mail): Promise<void> {
    const { to, subject, text } = checkedMail(mail);
    const signal = AbortSignal.timeout(this.#wholeMs);
    try {
      await this.#transport.sendMail({ from: this.#from, to: toAddress(to), subject, text, signal });
    } catch (error) {
      // Without `cause`: what the server answered may repeat the login.
      throw new AppError('unavailable', 'mail_unavailable', `the mail server did not take the mail: ${getReason(error)}`, {
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
  }
}

/** As an object an address is not read as a list, whatever its name holds. */
function toAddress(text: string): Address {
  const { name = '', address = text } = NAMED.exec(text)?.groups ?? {};
  return { name, address };
}

/** A login goes in clear to this machine only. */
function openTransport({ url, stepMs = STEP_MS }: SmtpSettings) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'smtps:';
  const auth = username === '' ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return createTransport({
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    auth,
    requireTLS: !secure && auth !== undefined && !LOOPBACK.test(host),
    dnsTimeout: stepMs,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** The code of the failure and the status of the server: enough for an operator, and no secret. */
function getReason(error: unknown): string {
  const { code, responseCode } = error as { readonly code?: unknown; readonly responseCode?: unknown };
  return [code, responseCode].filter((part) => /^[A-Z0-9_]+$/.test(String(part))).join(' ') || 'no answer in time';
}
