import { request as requestOverHttp } from 'node:http';
import { sampleProvider } from '../../plugin-kit/templates/model_provider/index.ts';
import { type PlantedFault, type SampleCase, withFetch, withHead, withMethods, withRequest } from './planted-provider.ts';

const CONVERSATION = 'sends the whole conversation, to the model that is asked';
const PARAMETERS = 'sends every parameter it is given';
const FILES = 'sends the files that its models are said to read, after the text they go with';
const LABELS = 'sends no label that its settings do not ask for';
const GOOD = 'reads a good reply';
const STRUCTURED = 'reads a structured answer';
const ENDED = 'says why a reply ended';
const TEXT = 'gives the text exactly as the model wrote it';
const PAST = 'asks only through the host';
const TOOLS = 'sends every tool, and the choice of one';
const AS_IT_WAS = 'leaves the process as it was';

const dropped = (name: 'temperature' | 'max_tokens' | 'top_p' | 'stop' | 'seed'): PlantedFault<SampleCase> => ({
  what: `drops ${name}`,
  found: PARAMETERS,
  make: () => withRequest(() => ({ [name]: undefined })),
});

const OFFERED = [{ name: 'sample-1', for_scorers: true, files: { media_types: ['image/png', 'image/jpeg'] } }];

/** The sample, said to read pictures, with messages that are made of their text and files in its own way. */
const withFiles = (toContent: (text: string, urls: readonly string[]) => unknown): SampleCase => ({
  ...withMethods((made) => ({
    complete: ({ messages, ...request }) => {
      const sent = messages.map(({ content, files = [], ...message }) => {
        const urls = files.map(({ media_type, bytes }) => `data:${media_type};base64,${Buffer.from(bytes).toString('base64')}`);
        return { ...message, content: (urls.length > 0 ? toContent(content, urls) : content) as string };
      });
      return made.complete({ ...request, messages: sent });
    },
    models: async (signal) => {
      await made.models(signal);
      return OFFERED;
    },
  })),
  offered: OFFERED,
});
const toTextPart = (text: string) => ({ type: 'text', text });
const toImagePart = (url: string) => ({ type: 'image_url', image_url: { url } });

/** The sample with pictures in the form of the protocol. */
export const seeingSample: SampleCase = withFiles((text, urls) => [toTextPart(text), ...urls.map(toImagePart)]);

/** In what is sent. */
const sent: readonly PlantedFault<SampleCase>[] = [
  { what: 'drops the system prompt', found: CONVERSATION, make: () => withRequest(() => ({ system: undefined }) as object) },
  {
    what: 'drops earlier messages',
    found: CONVERSATION,
    make: () => withRequest(({ messages }) => ({ messages: messages.slice(-1) })),
  },
  {
    what: 'sends the messages in another order',
    found: CONVERSATION,
    make: () => withRequest(({ messages }) => ({ messages: messages.toReversed() })),
  },
  {
    what: 'makes every message the user’s',
    found: CONVERSATION,
    make: () => withRequest(({ messages }) => ({ messages: messages.map((one) => ({ ...one, role: 'user' })) })),
  },
  { what: 'sends no files', found: FILES, make: () => withFiles((text) => text) },
  {
    what: 'sends the first file alone',
    found: FILES,
    make: () => withFiles((text, [url]) => [toTextPart(text), toImagePart(url!)]),
  },
  {
    what: 'sends files in another order',
    found: FILES,
    make: () => withFiles((text, urls) => [toTextPart(text), ...urls.toReversed().map(toImagePart)]),
  },
  {
    what: 'sends files before their text',
    found: FILES,
    make: () => withFiles((text, urls) => [...urls.map(toImagePart), toTextPart(text)]),
  },
  {
    what: 'changes the characters of a message',
    found: CONVERSATION,
    make: () =>
      withRequest(({ messages }) => ({
        messages: messages.map((one) => ({ ...one, content: one.content.replaceAll(/[^\x20-\x7e]/g, '?') })),
      })),
  },
  {
    what: 'asks another model than the one named',
    found: CONVERSATION,
    make: () => withRequest(() => ({ model: 'its-favourite' })),
  },
  dropped('temperature'),
  dropped('max_tokens'),
  dropped('top_p'),
  dropped('stop'),
  dropped('seed'),
  { what: 'drops the schema', found: PARAMETERS, make: () => withRequest(() => ({ schema: undefined }) as object) },
  {
    what: 'sends the first tool alone',
    found: TOOLS,
    make: () => withRequest(({ tools }) => (tools ? { tools: tools.slice(0, 1) } : {})),
  },
  { what: 'drops the choice of a tool', found: TOOLS, make: () => withRequest(() => ({ tool_choice: undefined }) as object) },
  {
    what: 'drops the results of tools',
    found: 'sends calls of tools and their results',
    make: () => withRequest(({ messages }) => ({ messages: messages.filter(({ role }) => role !== 'tool') })),
  },
  {
    what: 'drops the response format',
    found: 'sends a response format',
    make: () => withRequest(() => ({ response_format: undefined }) as object),
  },
  {
    what: 'reads no calls of tools',
    found: 'reads the calls of tools that the model asks for',
    make: () =>
      withMethods((made) => ({
        async complete(request) {
          const { tool_calls: _calls, ...rest } = await made.complete(request);
          return rest;
        },
      })),
  },
  {
    what: 'sends labels that nobody asked for',
    found: LABELS,
    make: () =>
      withRequest(({ messages, labels }) => ({
        messages: messages.map((one) => ({ ...one, content: `${one.content} ${JSON.stringify(labels ?? {})}` })),
      })),
  },
  {
    what: 'puts its key into the URL',
    found: 'puts no secret into a URL',
    make: () =>
      withFetch(
        (host, { token }) =>
          (input, init) =>
            host.fetch(`${String(input)}?key=${encodeURIComponent(token)}`, init),
      ),
  },
  {
    what: 'leads to another URL by the name of a model',
    found: 'lets no name lead to another address',
    make: () =>
      withMethods((made, host, { endpoint }) => ({
        complete: async (request) => {
          if (request.model.includes('/'))
            await host.fetch(new URL(request.model, `${endpoint}/models/`), { signal: request.signal });
          return made.complete(request);
        },
      })),
  },
];

/** In what is read. */
const read: readonly PlantedFault<SampleCase>[] = [
  {
    what: 'gives another text',
    found: GOOD,
    make: () => withMethods((made) => ({ complete: async (request) => ({ ...(await made.complete(request)), text: 'No.' }) })),
  },
  {
    what: 'swaps the tokens',
    found: GOOD,
    make: () =>
      withMethods((made) => ({
        complete: async (request) => {
          const { usage, ...rest } = await made.complete(request);
          return { ...rest, usage: { input_tokens: usage.output_tokens!, output_tokens: usage.input_tokens! } };
        },
      })),
  },
  {
    what: 'gives the vendor’s reply along',
    found: GOOD,
    make: () =>
      withMethods((made) => ({ complete: async (request) => ({ ...(await made.complete(request)), raw: { choices: [] } }) })),
  },
  {
    what: 'trims the text',
    found: TEXT,
    make: () =>
      withMethods((made) => ({
        complete: async (request) => {
          const completion = await made.complete(request);
          return { ...completion, text: completion.text.trim() };
        },
      })),
  },
  {
    what: 'fails when the model wrote nothing',
    found: TEXT,
    make: () =>
      withMethods((made) => ({
        complete: async (request) => {
          const completion = await made.complete(request);
          if (completion.text === '') throw new Error('no answer');
          return completion;
        },
      })),
  },
  {
    what: 'gives a value of its own for a text that is not JSON',
    found: 'gives the text alone when it is not the JSON that was asked for',
    make: () =>
      withMethods((made) => ({
        complete: async (request) => {
          const completion = await made.complete(request);
          return request.schema ? { ...completion, value: completion.value ?? {} } : completion;
        },
      })),
  },
  {
    what: 'leaves out the structured value',
    found: STRUCTURED,
    make: () =>
      withMethods((made) => ({
        complete: async (request) => {
          const { value: _, ...rest } = await made.complete(request);
          return rest;
        },
      })),
  },
  {
    what: 'reads a value where no schema was given',
    found: 'reads no value where no schema was given',
    make: () =>
      withMethods((made) => ({
        complete: async (request) => {
          const completion = await made.complete(request);
          return completion.text.startsWith('{') ? { ...completion, value: JSON.parse(completion.text) } : completion;
        },
      })),
  },
  {
    what: 'says of a cut reply that it is whole',
    found: ENDED,
    make: () =>
      withMethods((made) => ({
        complete: async (request) => ({ ...(await made.complete(request)), finish_reason: 'stop' as const }),
      })),
  },
  {
    what: 'names the model that was asked, not the one that answered',
    found: 'names the model that answered',
    make: () =>
      withMethods((made) => ({
        complete: async (request) => ({ ...(await made.complete(request)), model: request.model }),
      })),
  },
  {
    what: 'counts no tokens where none were reported',
    found: 'invents no token counts',
    make: () =>
      withFetch((host) => async (input, init) => {
        const response = await host.fetch(input, init);
        if (!response.ok) return response;
        const text = await response.text();
        if (!text.startsWith('{') || text.includes('"usage"') || !text.includes('"choices"')) return new Response(text);
        return new Response(text.replace('{', '{"usage":{"prompt_tokens":0,"completion_tokens":0},'));
      }),
  },
  {
    what: 'offers a model twice',
    found: 'offers models',
    make: () =>
      withMethods((made) => ({ models: async (signal) => [...(await made.models(signal)), ...(await made.models(signal))] })),
  },
  { what: 'offers no models', found: 'offers models', make: () => withMethods(() => ({ models: async () => [] })) },
  {
    what: 'checks nothing',
    found: 'checks with a call that good settings pass',
    make: () => withMethods(() => ({ check: async () => {} })),
  },
];

/** In the ways it takes. */
const ways: readonly PlantedFault<SampleCase>[] = [
  {
    what: 'asks when it is created',
    found: 'asks nothing when it is created',
    make: () =>
      withHead({
        create: (host, settings) => {
          void host.fetch(settings.endpoint).catch(() => {});
          return sampleProvider.create(host, settings);
        },
      }),
  },
  { what: 'asks by the global fetch', found: PAST, make: () => withFetch(() => (input, init) => fetch(input, init)) },
  {
    what: 'tells a server of its own that it was used',
    found: PAST,
    make: () =>
      withMethods((made) => ({
        complete: async (request) => {
          requestOverHttp('http://127.0.0.1:9/used')
            .on('error', () => {})
            .end();
          return made.complete(request);
        },
      })),
  },
  {
    what: 'takes its key from the environment',
    found: 'takes nothing from the environment',
    make: () =>
      withHead({
        create: (host, settings) =>
          sampleProvider.create(host, { ...settings, token: process.env['OPENAI_API_KEY'] ?? settings.token }),
      }),
  },
  {
    what: 'leaves its key in the environment',
    found: AS_IT_WAS,
    make: () =>
      withHead({
        create: (host, settings) => {
          process.env['SAMPLE_PROVIDER_KEY'] = settings.token;
          return sampleProvider.create(host, settings);
        },
      }),
  },
  {
    what: 'writes to the console',
    found: AS_IT_WAS,
    make: () =>
      withMethods((made) => ({
        complete: (request) => {
          // biome-ignore lint/suspicious/noConsole: the mistake itself.
          console.log(request.model);
          return made.complete(request);
        },
      })),
  },
  {
    what: 'adds to a prototype that all share',
    found: AS_IT_WAS,
    make: () =>
      withMethods((made) => ({
        complete: (request) => {
          Object.defineProperty(Object.prototype, 'sampled', { value: 1, configurable: true });
          return made.complete(request);
        },
      })),
  },
];

export const callFaults = [...sent, ...read, ...ways];
