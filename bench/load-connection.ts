import { connect, type Socket } from 'node:net';

/**
 * One keep-alive connection that sends a request and waits for its answer. By hand rather than by `node:http`, so that
 * the sender takes as little as possible from the processors it shares with the service.
 */
export class LoadConnection {
  readonly #url: string;
  readonly #head: string;
  #socket: Socket;
  #received = '';
  #settle: ((answer: Answer) => void) | undefined;

  constructor(url: string, path: string, headers: Readonly<Record<string, string>>) {
    this.#url = url;
    const lines = Object.entries({ Host: new URL(url).host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#head = `POST ${path} HTTP/1.1\r\n${lines.join('')}`;
    this.#socket = this.#connected();
  }

  /** A connection that broke is made again; what was under way on it counts as refused, and is safe to repeat. */
  send(body: Buffer): Promise<Answer> {
    if (this.#socket.destroyed) this.#socket = this.#connected();
    const socket = this.#socket;
    return new Promise((resolve) => {
      this.#settle = resolve;
      socket.cork();
      socket.write(`${this.#head}Content-Length: ${body.length}\r\n\r\n`, 'latin1');
      socket.write(body);
      socket.uncork();
    });
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #connected(): Socket {
    const { hostname, port } = new URL(this.#url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => this.#hear(text));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#received = '';
      this.#settle?.({ status: 503, retryAfterSeconds: 1, body: 'the connection broke' });
    });
    return socket;
  }

  #hear(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end === -1) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#received)?.[1]);
    const body = this.#received.slice(end + 4);
    const retryAfterSeconds = Number(/\r\nretry-after: (\d+)/i.exec(this.#received)?.[1] ?? 1);
    // Answers of the service are ASCII here: characters are bytes.
    if (body.length < length) return;
    const status = Number(this.#received.slice(9, 12));
    this.#received = '';
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.({ status, retryAfterSeconds, body });
  }
}

export interface Answer {
  readonly status: number;
  /** One where the answer does not say it. */
  readonly retryAfterSeconds: number;
  readonly body: string;
}
