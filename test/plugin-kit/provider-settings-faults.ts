import { secret, z } from '../../core/plugin-sdk/index.ts';
import { sampleProvider } from '../../plugin-kit/templates/model_provider/index.ts';
import { sampleProviderKit } from '../../plugin-kit/templates/model_provider/kit.ts';
import { type PlantedFault, type SampleCase, withHead, withPlugin } from './planted-provider.ts';

const HEAD = 'has a well-formed head and is frozen';
const SAME = 'has the same head and schema at every read';
const PRINTS = 'has settings that print as JSON Schema, with a secret and a meaning for every field';
const NO_DEFAULT = 'has no default for a secret';
const AS_PRINTED = 'accepts its settings as they are printed back';
const REFUSES = 'refuses empty and unknown settings, without repeating a secret';
const HIDES = 'shows its settings without secrets';

const { settings: whole } = sampleProvider;
const { endpoint, token } = whole.shape;
const withSettings = (settings: z.ZodType): SampleCase => withHead({ settings: settings as typeof whole });
let reads = 0;

/** In the head of the plugin and in its schema. */
export const settingsFaults: readonly PlantedFault<SampleCase>[] = [
  { what: 'has an id that is not lower_snake_case', found: HEAD, make: () => withHead({ id: 'Sample' }) },
  { what: 'has a summary that is no sentence', found: HEAD, make: () => withHead({ summary: 'no sentence' }) },
  { what: 'is written for another SDK', found: HEAD, make: () => withHead({ sdk: 99 }) },
  { what: 'has a label of blanks', found: HEAD, make: () => withHead({ label: ' ' }) },
  { what: 'is not frozen', found: HEAD, make: () => withPlugin({ ...sampleProvider }) },
  {
    what: 'has a schema that changes between reads',
    found: SAME,
    make: () =>
      withPlugin(
        Object.freeze({
          ...sampleProvider,
          get settings() {
            reads += 1;
            return reads % 2 === 0 ? whole : whole.extend({ region: z.string().optional().describe('Where.') });
          },
        }),
      ),
  },
  {
    what: 'has a schema that accepts a value once',
    found: SAME,
    make: () => {
      const taken = new Set<string>();
      const once = (text: string) => !taken.has(text) && taken.add(text) !== undefined;
      return withSettings(z.strictObject({ endpoint, token: secret(z.string().refine(once)).describe('A key.') }));
    },
  },
  {
    what: 'marks no field as a secret',
    found: PRINTS,
    make: () => withSettings(z.strictObject({ endpoint, token: z.string().describe('A key.') })),
  },
  {
    what: 'has a field that nobody explains',
    found: PRINTS,
    make: () => withSettings(z.strictObject({ endpoint, token: secret(z.string()) })),
  },
  {
    what: 'has a default for its secret',
    found: NO_DEFAULT,
    make: () => withSettings(z.strictObject({ endpoint, token: token.default('sk-of-the-vendor').describe('A key.') })),
  },
  {
    what: 'reads its own settings otherwise the second time',
    found: AS_PRINTED,
    make: () =>
      withSettings(
        z.strictObject({ endpoint, token: secret(z.string().overwrite((text) => `Bearer ${text}`)).describe('A key.') }),
      ),
  },
  { what: 'takes unknown settings', found: REFUSES, make: () => withSettings(z.object({ endpoint, token })) },
  {
    what: 'takes empty settings',
    found: REFUSES,
    make: () => withSettings(z.strictObject({ endpoint: endpoint.optional().describe('Where.'), token: token.optional() })),
  },
  {
    what: 'repeats a secret where it refuses settings',
    found: REFUSES,
    make: () => {
      const message = ({ input }: { readonly input?: unknown }) => `cannot use ${JSON.stringify(input)}`;
      return withSettings(z.strictObject({ endpoint, token }, { error: message }));
    },
  },
  {
    what: 'holds no secret in the settings that are tried',
    found: HIDES,
    make: () => {
      const optional = z.strictObject({ endpoint, token: token.optional() });
      const { settings, ...rest } = { ...sampleProviderKit, ...withSettings(optional) };
      return { ...rest, settings: { endpoint: settings.endpoint } as typeof settings };
    },
  },
];
