/** The few calls that prepare and read, by `fetch`. */
export class Api {
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  get(path: string): Promise<Record<string, unknown>> {
    return this.#call('GET', path);
  }

  post(path: string, body: unknown): Promise<Record<string, unknown>> {
    return this.#call('POST', path, JSON.stringify(body));
  }

  /** Processor time of the service so far. */
  async cpuSeconds(): Promise<number> {
    const res = await fetch(`${this.#url}/metrics`, { headers: { 'service-api-key': this.#key } });
    return Number(/^process_cpu_seconds_total (\S+)/m.exec(await res.text())?.[1]);
  }

  async #call(method: string, path: string, body?: string): Promise<Record<string, unknown>> {
    const headers = { 'service-api-key': this.#key, 'content-type': 'application/json' };
    const res = await fetch(`${this.#url}/v2${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
    const text = await res.text();
    if (!res.ok) throw new Error(`${method} ${path} answered ${res.status}: ${text.slice(0, 300)}`);
    return JSON.parse(text) as Record<string, unknown>;
  }
}
