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

  put(path: string, body: unknown): Promise<Record<string, unknown>> {
    return this.#call('PUT', path, JSON.stringify(body));
  }

  patch(path: string, body: unknown): Promise<Record<string, unknown>> {
    return this.#call('PATCH', path, JSON.stringify(body));
  }

  delete(path: string): Promise<Record<string, unknown>> {
    return this.#call('DELETE', path);
  }

  async upload(path: string, form: FormData): Promise<void> {
    const res = await fetch(`${this.#url}/v2${path}`, { method: 'POST', headers: { 'service-api-key': this.#key }, body: form });
    if (!res.ok) throw new Error(`POST ${path} answered ${res.status}: ${(await res.text()).slice(0, 300)}`);
  }

  /** Processor time of the service so far. */
  cpuSeconds(): Promise<number> {
    return this.gauge('process_cpu_seconds_total');
  }

  /** One figure of what the service says of itself. */
  async gauge(name: string): Promise<number> {
    const res = await fetch(`${this.#url}/metrics`, { headers: { 'service-api-key': this.#key } });
    const line = (await res.text()).split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.slice(name.length));
  }

  /** Reads an answer as it comes and lets it go; returns its bytes. */
  async drain(path: string, body: unknown): Promise<number> {
    const headers = { 'service-api-key': this.#key, 'content-type': 'application/json' };
    const res = await fetch(`${this.#url}/v2${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!res.ok || !res.body) throw new Error(`POST ${path} answered ${res.status}`);
    let bytes = 0;
    for await (const chunk of res.body) bytes += (chunk as Uint8Array).length;
    return bytes;
  }

  async #call(method: string, path: string, body?: string): Promise<Record<string, unknown>> {
    const headers = { 'service-api-key': this.#key, 'content-type': 'application/json' };
    const res = await fetch(`${this.#url}/v2${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
    const text = await res.text();
    if (!res.ok) throw new Error(`${method} ${path} answered ${res.status}: ${text.slice(0, 300)}`);
    return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  }
}
