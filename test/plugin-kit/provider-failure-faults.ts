import { setTimeout as sleep } from 'node:timers/promises';
import { PluginError, type PluginFailure } from '../../core/plugin-sdk/index.ts';
import { sampleProvider } from '../../plugin-kit/templates/model_provider/index.ts';
import { type PlantedFault, type SampleCase, withFetch, withHead, withMethods } from './planted-provider.ts';

const SHAPES = 'repeats nothing of an error, whatever its shape';
const ONCE = 'asks once, whatever comes of it';
const REFUSAL = "lets the host's own refusal pass";

const mapped = (change: (error: unknown) => unknown): SampleCase =>
  withMethods((made) => ({
    complete: (request) => made.complete(request).catch((error: unknown) => Promise.reject(change(error))),
  }));
const failing = (failure: PluginFailure) =>
  mapped((error) => (error instanceof PluginError ? new PluginError(failure, error.message, { status: error.status! }) : error));

/** Repeats one field of an error that the vendor sends. */
const repeating = (field: (body: unknown) => unknown): SampleCase =>
  withFetch((host) => async (input, init) => {
    const response = await host.fetch(input, init);
    if (response.ok) return response;
    const text = await response.clone().text();
    const said = field(text.startsWith('{') ? JSON.parse(text) : text);
    if (typeof said === 'string' && said !== '')
      throw new PluginError('unavailable', `the vendor says: ${said}`, { status: response.status });
    return response;
  });
const at = (body: unknown, name: string): unknown => Object(body)[name];

const retrying = (times: number, idleDelayMs = 0): SampleCase =>
  withFetch((host) => async (input, init) => {
    for (let tries = 0; ; tries += 1) {
      const response = await host.fetch(input, init);
      if (response.status < 500 || tries === times) return response;
      await response.body?.cancel();
      await sleep(idleDelayMs);
    }
  });

/** In what it makes of failures. */
export const failureFaults: readonly PlantedFault<SampleCase>[] = [
  {
    what: 'throws what is no PluginError',
    found: 'reads status 401 as credentials_rejected',
    make: () => mapped(() => new Error('no')),
  },
  { what: 'calls everything unavailable', found: 'reads status 403 as credentials_rejected', make: () => failing('unavailable') },
  { what: 'calls too many requests a refusal', found: 'reads status 429 as rate_limited', make: () => failing('unsupported') },
  { what: 'calls an outage a bad request', found: 'reads status 503 as unavailable', make: () => failing('unsupported') },
  {
    what: 'forgets how long to wait',
    found: 'carries how long to wait of {"retry-after":"7"}',
    make: () => mapped((error) => (error instanceof PluginError ? new PluginError(error.failure, error.message) : error)),
  },
  {
    what: 'answers an empty text in place of a failure',
    found: 'reads status 500 as unavailable',
    make: () =>
      withMethods((made) => ({
        complete: (request) =>
          made.complete(request).catch(() => ({ text: '', usage: {}, finish_reason: 'error' as const, model: request.model })),
      })),
  },
  {
    what: 'offers no models in place of a failure',
    found: 'reads status 401 as credentials_rejected',
    make: () => withMethods((made) => ({ models: (signal) => made.models(signal).catch(() => []) })),
  },
  {
    what: 'passes its check with refused credentials',
    found: 'reads status 401 as credentials_rejected',
    make: () => withMethods((made) => ({ check: (signal) => made.check(signal).catch(() => {}) })),
  },
  {
    what: "swallows the host's refusal where it lists models",
    found: REFUSAL,
    make: () =>
      withMethods((made) => ({
        models: (signal) => made.models(signal).catch((error) => (error.status === undefined ? [] : Promise.reject(error))),
      })),
  },
  {
    what: "swallows the host's refusal where it checks",
    found: REFUSAL,
    make: () =>
      withMethods((made) => ({
        check: (signal) => made.check(signal).catch((error) => (error.status === undefined ? undefined : Promise.reject(error))),
      })),
  },
  {
    what: "makes the host's refusal an error of its own",
    found: REFUSAL,
    make: () => mapped((error) => (error instanceof PluginError ? new PluginError('unavailable', 'sample: refused') : error)),
  },
  {
    what: 'repeats the reply as the cause of its error',
    found: 'refuses a reply that is not JSON',
    make: () =>
      withFetch((host) => async (input, init) => {
        const response = await host.fetch(input, init);
        const text = await response.clone().text();
        if (response.ok && text.startsWith('<')) throw new PluginError('bad_reply', 'no JSON', { cause: text });
        return response;
      }),
  },
  {
    what: 'repeats the message of the vendor’s error',
    found: SHAPES,
    make: () => repeating((body) => at(at(body, 'error'), 'message')),
  },
  { what: 'repeats the detail of the vendor’s error', found: SHAPES, make: () => repeating((body) => at(body, 'detail')) },
  {
    what: 'repeats the first of the vendor’s errors',
    found: SHAPES,
    make: () => repeating((body) => at(at(at(body, 'errors'), '0'), 'message')),
  },
  { what: 'repeats an error that is plain text', found: SHAPES, make: () => repeating((body) => body) },
  {
    what: 'repeats a header of the vendor’s error',
    found: SHAPES,
    make: () =>
      withFetch((host) => async (input, init) => {
        const response = await host.fetch(input, init);
        const said = response.headers.get('x-error-message');
        if (said !== null) throw new PluginError('unavailable', said, { status: response.status });
        return response;
      }),
  },
  {
    what: 'repeats an error that comes as a good reply',
    found: 'refuses a reply that is an error',
    make: () =>
      withFetch((host) => async (input, init) => {
        const response = await host.fetch(input, init);
        if (!response.ok) return response;
        const { error } = JSON.parse((await response.clone().text()) || '{}');
        if (error) throw new PluginError('bad_reply', error.message);
        return response;
      }),
  },
  {
    what: 'tells the log its key in base64',
    found: 'reads status 500 as unavailable',
    make: () =>
      withHead({
        create: (host, settings) => {
          host.log('asking', { authorization: btoa(settings.token) });
          return sampleProvider.create(host, settings);
        },
      }),
  },
  {
    what: 'tells the log its key',
    found: 'reads status 500 as unavailable',
    make: () =>
      withHead({
        create: (host, settings) => {
          host.log(`with ${settings.token}`);
          return sampleProvider.create(host, settings);
        },
      }),
  },
  { what: 'asks again three times', found: ONCE, make: () => retrying(3) },
  { what: 'asks again after a rest', found: ONCE, make: () => retrying(1, 300) },
  { what: 'asks again without end', found: ONCE, make: () => retrying(Number.POSITIVE_INFINITY, 10) },
  {
    what: 'asks again when the connection is lost',
    found: ONCE,
    make: () =>
      withFetch((host) => async (input, init) => {
        try {
          const response = await host.fetch(input, init);
          return new Response(await response.arrayBuffer(), response);
        } catch {
          init?.signal?.throwIfAborted();
          return host.fetch(input, init);
        }
      }),
  },
  {
    what: 'lists models again when that failed',
    found: ONCE,
    make: () => withMethods((made) => ({ models: (signal) => made.models(signal).catch(() => made.models(signal)) })),
  },
  {
    what: 'follows a redirect',
    found: 'follows no redirect',
    make: () =>
      withFetch((host) => async (input, init) => {
        const response = await host.fetch(input, init);
        const to = response.headers.get('location');
        return to === null ? response : host.fetch(to, init);
      }),
  },
];
