import { createServer, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { type ArrivedMail, MAIL_FROM, mailerContract } from '../../test/contracts/access/mailer.contract.ts';
import { parsedMail } from '../../test/setup/parsed-mail.ts';
import { SmtpMailer } from './smtp-mailer.ts';

const PASSWORD = 'p@ss:word/ü';
const mail = { to: 'ada@example.org', subject: 'Hello', text: 'text\n' };

interface Upstream {
  readonly port: number;
  readonly mails: ArrivedMail[];
  readonly recipients: string[];
  close(): Promise<void>;
}

/** A mail server on this machine that keeps what it is given. */
async function startServer(options: SMTPServerOptions = {}): Promise<Upstream> {
  const mails: ArrivedMail[] = [];
  const recipients: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push(parsedMail(Buffer.concat(chunks).toString('utf8')));
        recipients.push(...session.envelope.rcptTo.map(({ address }) => address));
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  return { port, mails, recipients, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

mailerContract('SMTP', async () => {
  const server = await startServer();
  return {
    port: new SmtpMailer({ url: `smtp://127.0.0.1:${server.port}`, from: MAIL_FROM }),
    arrived: async () => server.mails,
    close: server.close,
  };
});

describe('the SMTP mailer', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  async function server(options?: SMTPServerOptions): Promise<Upstream> {
    const started = await startServer(options);
    closing.push(started.close);
    return started;
  }
  const mailer = (port: number, login = '', waits = {}) =>
    new SmtpMailer({ url: `smtp://${login}127.0.0.1:${port}`, from: MAIL_FROM, ...waits });
  const login = `${encodeURIComponent('mail@example.org')}:${encodeURIComponent(PASSWORD)}@`;
  const toFailure = (sending: Promise<void>) =>
    sending.then(
      () => undefined,
      (error: unknown) => error as Error,
    );

  const onAuth: SMTPServerOptions['onAuth'] = ({ username, password }, _session, callback) => {
    if (username === 'mail@example.org' && password === PASSWORD) callback(null, { user: username });
    else callback(new Error(`no entry for ${username} with ${password}`));
  };

  it('logs in with the user and the password of the URL', async () => {
    const far = await server({ authOptional: false, onAuth });
    await mailer(far.port, login).send(mail);
    expect(far.recipients).toEqual([mail.to]);
  });

  it('tells of a refused login without its secrets', async () => {
    const far = await server({ authOptional: false, onAuth });
    const failure = await toFailure(mailer(far.port, 'mail%40example.org:wrong-secret@').send(mail));
    expect(failure).toMatchObject({ kind: 'unavailable', code: 'mail_unavailable', retryAfterSeconds: 60 });
    expect(failure!.message).toContain('EAUTH 535');
    expect(`${failure!.stack} ${JSON.stringify(failure)} ${String(failure!.cause)}`).not.toContain('wrong-secret');
  });

  it('sends no login in clear to another machine', async () => {
    const seen: string[] = [];
    const far = await server({
      authOptional: false,
      onAuth: ({ username }, _session, callback) => {
        seen.push(String(username));
        callback(null, { user: username });
      },
    });
    // Another name of this machine stands for another machine.
    const url = `smtp://user:secret@0.0.0.0:${far.port}`;
    const failure = await toFailure(new SmtpMailer({ url, from: MAIL_FROM, stepMs: 2_000 }).send(mail));
    expect(failure).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('ETLS') });
    expect(seen).toEqual([]);
  });

  it('says that mail is unavailable when the server refuses the recipient', async () => {
    const far = await server({ onRcptTo: (_address, _session, callback) => callback(new Error('no such box')) });
    expect(await toFailure(mailer(far.port).send(mail))).toMatchObject({ kind: 'unavailable', code: 'mail_unavailable' });
    expect(far.mails).toEqual([]);
  });

  it('says so too when nobody listens', async () => {
    const far = await startServer();
    await far.close();
    const failure = await toFailure(mailer(far.port, login).send(mail));
    expect(failure).toMatchObject({ kind: 'unavailable', code: 'mail_unavailable' });
    expect(failure!.message).not.toContain('ss:word');
  });

  it.each<[string, (socket: Socket) => void, object]>([
    ['says nothing', () => {}, { stepMs: 200 }],
    ['greets and then hangs', (socket) => void socket.write('220 here\r\n'), { stepMs: 200 }],
    [
      'talks on and on',
      (socket) => {
        const talk = setInterval(() => void socket.write('220-wait\r\n'), 20);
        socket.on('close', () => clearInterval(talk));
      },
      { wholeMs: 400 },
    ],
  ])('gives up on a server that %s', async (_what, greet, waits) => {
    const sockets = new Set<Socket>();
    const hanging = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      greet(socket);
    });
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    closing.push(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => hanging.close(resolve));
    });
    const { port } = hanging.address() as { port: number };
    const started = Date.now();
    expect(await toFailure(mailer(port, '', waits).send(mail))).toMatchObject({ kind: 'unavailable', code: 'mail_unavailable' });
    expect(Date.now() - started).toBeLessThan(3_000);
  });
});
