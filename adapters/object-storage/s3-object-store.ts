import { hash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import {
  type ObjectEntry,
  type ObjectStore,
  ObjectStoreError,
  requireObjectKey,
} from '../../core/object-storage/object-store.ts';
import type { ReadSigner, SignedReading } from '../../core/object-storage/read-signer.ts';

export interface S3Settings {
  /** Base URL of the service: `https://s3.eu-central-1.amazonaws.com`, or that of a store of one's own. The bucket becomes the first segment of its path. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Stands before each key; empty, or ends with a slash. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** Of the object; none: the bucket. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly content?: Uint8Array;
}

interface Listed {
  readonly entries: readonly ObjectEntry[];
  /** Where the listing goes on; undefined at its end. */
  readonly next: string | undefined;
}

type SigningOptions = Pick<ConstructorParameters<typeof AwsV4Signer>[0], 'headers' | 'signQuery' | 'datetime'>;

const NOTHING = new Uint8Array();
/** Time for a request, and beyond it for each megabyte. */
const REQUEST_MS = 15_000;
const MEGABYTE_MS = 2_000;
const MAX_REASON = 300;

/** Objects of a bucket, by the S3 interface: AWS, MinIO, R2, Ceph and others. Requests are signed by Signature Version 4. */
export class S3ObjectStore implements ObjectStore, ReadSigner {
  readonly location: string;
  readonly #settings: S3Settings;
  readonly #keys = new Map<string, ArrayBuffer>();

  constructor(settings: S3Settings) {
    this.#settings = settings;
    this.location = `s3://${settings.bucket}/${settings.prefix}`;
  }

  async put(key: string, content: Uint8Array, { if_absent = false }: { readonly if_absent?: boolean } = {}): Promise<boolean> {
    const headers = { 'content-type': 'application/octet-stream', ...(if_absent && { 'if-none-match': '*' }) };
    const reply = await this.#send({ method: 'PUT', key, content, headers }, if_absent ? [412] : []);
    return reply.status !== 412;
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const reply = await this.#send({ method: 'GET', key }, [404]);
    return reply.status === 404 ? undefined : reply.body;
  }

  async *list(prefix: string): AsyncGenerator<ObjectEntry> {
    for (let next: string | undefined, isFirst = true; isFirst || next !== undefined; isFirst = false) {
      const page: Listed = await this.#listPage(prefix, next);
      yield* page.entries;
      next = page.next;
    }
  }

  async remove(key: string): Promise<void> {
    await this.#send({ method: 'DELETE', key }, [404]);
  }

  async signRead(key: string, { content_type, disposition, at, seconds }: SignedReading): Promise<string> {
    requireObjectKey(key);
    const query = {
      'response-content-type': content_type,
      'response-content-disposition': disposition,
      'response-cache-control': `private, max-age=${seconds}`,
      'X-Amz-Expires': `${seconds}`,
    };
    const signer = this.#newSigner({ method: 'GET', key, query }, { signQuery: true, datetime: toAmazonTime(at) });
    // A plus sign is a space to some stores and itself to others.
    return (await signer.sign()).url.href.replaceAll('+', '%20');
  }

  async #listPage(prefix: string, from: string | undefined): Promise<Listed> {
    const query = {
      'list-type': '2',
      'encoding-type': 'url',
      'max-keys': '1000',
      prefix: `${this.#settings.prefix}${prefix}`,
      ...(from !== undefined && { 'continuation-token': from }),
    };
    const { body } = await this.#send({ method: 'GET', query });
    return toListed(new TextDecoder().decode(body), this.#settings.prefix.length);
  }

  async #send(request: S3Request, expected: readonly number[] = []): Promise<{ status: number; body: Uint8Array }> {
    if (request.key !== undefined) requireObjectKey(request.key);
    const { method, content } = request;
    const ms = REQUEST_MS + Math.ceil((content?.byteLength ?? 0) / 1024 / 1024) * MEGABYTE_MS;
    try {
      const { url, headers } = await this.#sign(request);
      const body = content as Uint8Array<ArrayBuffer> | undefined;
      // A redirect would take the signature to another host.
      const reply = await fetch(url, {
        method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(ms),
        ...(body && { body }),
      });
      const read = new Uint8Array(await reply.arrayBuffer());
      if (reply.ok || expected.includes(reply.status)) return { status: reply.status, body: read };
      throw this.#toError(request, `${reply.status} ${toReason(read)}`);
    } catch (error) {
      if (error instanceof ObjectStoreError) throw error;
      throw this.#toError(request, toCause(error), error);
    }
  }

  #toError({ method, key }: S3Request, reason: string, cause?: unknown): ObjectStoreError {
    const text = `${method} ${this.location}${key ?? ''}: ${reason}`;
    return new ObjectStoreError(text.slice(0, MAX_REASON), { cause });
  }

  #sign(request: S3Request) {
    const { headers, content = NOTHING } = request;
    return this.#newSigner(request, { headers: { ...headers, 'x-amz-content-sha256': hash('sha256', content, 'hex') } }).sign();
  }

  #newSigner({ method, key, query = {} }: S3Request, options: SigningOptions): AwsV4Signer {
    const { endpoint, bucket, prefix, region, accessKeyId, secretAccessKey, sessionToken } = this.#settings;
    const path = key === undefined ? '' : `/${prefix}${key}`;
    const url = new URL(`${endpoint.replace(/\/+$/, '')}/${bucket}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return new AwsV4Signer({
      ...{ accessKeyId, secretAccessKey, region, service: 's3', url: url.href, method, cache: this.#keys },
      ...(sessionToken && { sessionToken }),
      ...options,
    });
  }
}

/** `20260102T030405Z` */
const toAmazonTime = (at: Date): string => at.toISOString().replaceAll(/[:-]|\.\d{3}/g, '');

/** A page of a listing, whose keys come as in a URL, so that nothing in them is escaped for XML. */
function toListed(xml: string, prefixLength: number): Listed {
  const read = (name: string, from: string): string | undefined => new RegExp(`<${name}>([^<]*)</${name}>`).exec(from)?.[1];
  const entries = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, own]) => ({
    key: decodeURIComponent((read('Key', own!) ?? '').replaceAll('+', ' ')).slice(prefixLength),
    bytes: Number(read('Size', own!)),
  }));
  const next = read('IsTruncated', xml) === 'true' ? read('NextContinuationToken', xml) : undefined;
  return { entries, next: next?.replaceAll('&amp;', '&') };
}

/** Code and message of an error, as S3 says them. */
function toReason(body: Uint8Array): string {
  const text = new TextDecoder().decode(body.subarray(0, 4_096));
  const [code, message] = ['Code', 'Message'].map((name) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1]);
  return code ? `${code}${message ? `: ${message}` : ''}` : 'without a reason';
}

function toCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}
