import { MODEL_PROVIDERS } from '../../config/plugins.ts';
import { defineModelProvider, type ModelProviderPlugin, Token, z } from '../../core/plugin-sdk/index.ts';

/** All providers, with one in the place of `openai` that approves of everything and notes down the prompts it gets. */
export function echoProviders(prompts: string[]): ModelProviderPlugin[] {
  const echo = defineModelProvider({
    id: 'openai',
    sdk: 1,
    stability: 'experimental',
    label: 'Echo',
    summary: 'A provider of the test.',
    settings: z.strictObject({ token: Token }),
    create: () => ({
      complete: async ({ model, messages, schema }) => {
        prompts.push(messages.map(({ content }) => content).join('\n'));
        const rows = { rows: [{ input: `made up ${messages.at(-1)?.content.length}` }] };
        const text = schema ? JSON.stringify({ explanation: 'plain to see', rating: true, ...rows }) : 'hello to you';
        return { text, usage: { input_tokens: 7, output_tokens: 2 }, finish_reason: 'stop', model };
      },
      models: async () => [{ name: 'gpt-4.1-mini', for_scorers: true }],
      check: async () => {},
    }),
  });
  return [echo, ...MODEL_PROVIDERS.filter(({ id }) => id !== echo.id)];
}
