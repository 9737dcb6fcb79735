import { connect, type Socket } from 'node:net';

/**
 * One keep-alive connection that sends a request and waits for its answer. By hand rather than by `node:http`, so that
 * the sender takes as little as possible from the processors it shares with the service.
 */
export class LoadConnection {
  readonly #socket: Socket;
  readonly #head: string;
  #received = '';
  #settle: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;

  constructor(url: string, path: string, apiKey: string) {
    const { host, hostname, port } = new URL(url);
    this.#head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nService-API-Key: ${apiKey}\r\nContent-Type: application/json\r\n`;
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.setEncoding('utf8');
    this.#socket.on('data', (text: string) => this.#hear(text));
    this.#socket.on('error', (error) => this.#settle?.reject(error));
    this.#socket.on('close', () => this.#settle?.reject(new Error('the service closed the connection')));
  }

  send(body: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.cork();
      this.#socket.write(`${this.#head}Content-Length: ${body.length}\r\n\r\n`, 'latin1');
      this.#socket.write(body);
      this.#socket.uncork();
    });
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #hear(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end === -1) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#received)?.[1]);
    const body = this.#received.slice(end + 4);
    // Answers of the service are ASCII here: characters are bytes.
    if (body.length < length) return;
    this.#received = '';
    this.#settle?.resolve({ status: Number(text.slice(9, 12)), body });
  }
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}
