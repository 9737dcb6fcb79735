import type { Completion, CompletionRequest, Token } from '../../core/plugin-sdk/index.ts';
import { sampleProvider } from '../../plugin-kit/templates/model_provider/index.ts';
import { type PlantedFault, type SampleCase, withFetch, withHead, withMethods, withRequest } from './planted-provider.ts';

const CHANGES_NOTHING = 'changes nothing of what it is given';
const INTEGRATIONS = 'keeps two integrations apart';
const CALLS = 'keeps two calls apart';
const never = () => new AbortController().signal;

/** Of a module that keeps what it should not. */
let lastToken: string | undefined;
let lastQuestion: CompletionRequest | undefined;
const answered = new Map<string, Completion>();

/** In what it keeps, what it changes, and when it ends. */
export const stateFaults: readonly PlantedFault<SampleCase>[] = [
  {
    what: 'keeps one key for all integrations: the last wins',
    found: INTEGRATIONS,
    make: () =>
      withHead({
        create: (host, settings) => {
          lastToken = settings.token;
          const fetch: typeof host.fetch = (input, init) => {
            const headers = new Headers(init?.headers);
            headers.set('authorization', `Bearer ${lastToken}`);
            return host.fetch(input, { ...init, headers });
          };
          return sampleProvider.create({ ...host, fetch }, settings);
        },
      }),
  },
  {
    what: 'keeps one key for all integrations: the first wins',
    found: INTEGRATIONS,
    make: () => {
      let first: string | undefined;
      return withHead({
        create: (host, settings) => {
          first ??= settings.token;
          return sampleProvider.create(host, { ...settings, token: first as typeof settings.token & typeof Token._output });
        },
      });
    },
  },
  {
    what: 'keeps one provider for all integrations',
    found: INTEGRATIONS,
    make: () => {
      let made: ReturnType<typeof sampleProvider.create> | undefined;
      return withHead({ create: (host, settings) => (made ??= sampleProvider.create(host, settings)) });
    },
  },
  {
    what: 'mixes up two calls at the same time',
    found: CALLS,
    make: () =>
      withMethods((made) => ({
        complete: async (request) => {
          lastQuestion = request;
          await new Promise((resolve) => setTimeout(resolve, 5));
          return made.complete({ ...lastQuestion, signal: request.signal });
        },
      })),
  },
  {
    what: 'answers the same question from memory',
    found: CALLS,
    make: () => {
      answered.clear();
      return withMethods((made) => ({
        complete: async (request) => {
          const key = JSON.stringify([request.model, request.system, request.messages]);
          const known = answered.get(key) ?? (await made.complete(request));
          answered.set(key, known);
          return known;
        },
      }));
    },
  },
  {
    what: 'ends one call when another is aborted',
    found: CALLS,
    make: () => {
      let shared = new AbortController();
      return withMethods((made) => ({
        complete: (request) => {
          if (shared.signal.aborted) shared = new AbortController();
          const { signal } = shared;
          request.signal.addEventListener('abort', () => shared.abort(request.signal.reason), { once: true });
          return made.complete({ ...request, signal });
        },
      }));
    },
  },
  {
    what: 'adds a message to what it was given',
    found: CHANGES_NOTHING,
    make: () =>
      withMethods((made) => ({
        complete: async (request) => {
          const completion = await made.complete(request);
          (request.messages as unknown[]).push({ role: 'assistant', content: completion.text });
          return completion;
        },
      })),
  },
  {
    what: 'changes the schema it was given',
    found: CHANGES_NOTHING,
    make: () =>
      withMethods((made) => ({
        complete: (request) => {
          if (request.schema) (request.schema as Record<string, unknown>)['title'] = 'answer';
          return made.complete(request);
        },
      })),
  },
  {
    what: 'changes its settings',
    found: CHANGES_NOTHING,
    make: () =>
      withHead({
        create: (host, settings) => {
          const made = sampleProvider.create(host, { ...settings });
          settings.endpoint = settings.endpoint.toUpperCase();
          return made;
        },
      }),
  },
  {
    what: 'keeps the signal to itself',
    found: 'ends at once when it is aborted during silence',
    make: () => withRequest(() => ({ signal: AbortSignal.timeout(1_000) })),
  },
  {
    what: 'ends an abort with an error of its own',
    found: 'ends at once when it is aborted during stall',
    make: () =>
      withMethods((made) => ({
        complete: (request) => made.complete(request).catch(() => Promise.reject(new Error('aborted'))),
      })),
  },
  {
    what: 'keeps the signal of the list of models to itself',
    found: 'ends with the reason of a time limit',
    make: () => withMethods((made) => ({ models: () => made.models(AbortSignal.timeout(3_000)) })),
  },
  {
    what: 'keeps the signal of its check to itself',
    found: 'ends with the reason of a time limit',
    make: () => withMethods((made) => ({ check: () => made.check(AbortSignal.timeout(3_000)) })),
  },
  {
    what: 'asks though it is aborted before it begins',
    found: 'asks nothing when it was aborted before',
    make: () =>
      withMethods((made) => ({
        complete: async (request) => {
          const completion = await made.complete({ ...request, signal: never() });
          request.signal.throwIfAborted();
          return completion;
        },
      })),
  },
  {
    what: 'reads replies without a bound',
    found: 'stops reading a reply that does not end',
    make: () =>
      withFetch((host) => async (input, init) => {
        const response = await host.fetch(input, init);
        let size = 0;
        const reader = response.body?.getReader();
        for (let part = await reader?.read(); part && !part.done && size < 4_000_000; part = await reader?.read())
          size += part.value.length;
        await reader?.cancel();
        return Response.json({ surprise: size }, { status: response.status });
      }),
  },
];
