import assert from 'node:assert/strict';
import type { CompletionRequest, ModelTool } from '../../core/plugin-sdk/index.ts';
import { type Check, check } from '../check.ts';
import type { TestProvider } from './test-provider.ts';

const CALLED = 'finish-tool_calls';
const RESULT = 'Rain in "Köln", 4d2 – 漢字';

const toolNamed = (name: string, property: string): ModelTool => ({
  name,
  description: `Looks up for the kit, ${property}.`,
  parameters: {
    type: 'object',
    properties: { [property]: { type: 'string' } },
    required: [property],
    additionalProperties: false,
  },
});
const TOOLS = [toolNamed('look_up_7a1', 'city_3f9'), toolNamed('book_2c8', 'hotel_6e4')];
const FORMAT = { name: 'format_9b3', schema: toolNamed('unused', 'verdict_8c5').parameters };

/** A conversation in which a tool was called and has returned. */
const CALLS: CompletionRequest['messages'] = [
  { role: 'user', content: 'What is the weather?' },
  { role: 'assistant', content: '', tool_calls: [{ id: 'call_5e0', name: 'look_up_7a1', arguments: '{"city_3f9":"Lyon-1d7"}' }] },
  { role: 'tool', content: RESULT, tool_call_id: 'call_5e0', tool_name: 'look_up_7a1' },
];

/** Checks of the optional parts of a request. A provider that does not say that it sends them must not. */
export function toolChecks(testProvider: TestProvider): Check[] {
  const supports = () => testProvider.create().supports ?? [];
  const ask = async (more: Partial<CompletionRequest>): Promise<string> => {
    testProvider.fake.seen.length = 0;
    await testProvider.create().complete(testProvider.request(more));
    const [asked] = testProvider.asked();
    if (!asked) assert.fail(`${testProvider.answer.asks} is to be requested`);
    return asked.body;
  };
  const requireAll = (body: string, wanted: readonly string[]): void => {
    for (const text of wanted) assert.ok(body.includes(text), `"${text}" was not sent:\n${body}`);
  };
  return [
    check('sends every tool, and the choice of one', async () => {
      if (!supports().includes('tools')) return;
      const free = await ask({ tools: TOOLS });
      requireAll(free, ['look_up_7a1', 'book_2c8', 'city_3f9', 'hotel_6e4', 'Looks up for the kit, city_3f9.']);
      for (const tool_choice of ['required', { name: 'book_2c8' }] as const)
        assert.notEqual(await ask({ tools: TOOLS, tool_choice }), free, `the choice ${JSON.stringify(tool_choice)} was not sent`);
    }),
    check('sends calls of tools and their results', async () => {
      if (!supports().includes('tools')) return;
      requireAll(await ask({ tools: TOOLS, messages: CALLS }), ['look_up_7a1', 'Lyon-1d7', JSON.stringify(RESULT).slice(1, -1)]);
    }),
    check('reads the calls of tools that the model asks for', async () => {
      if (!supports().includes('tools')) return;
      assert.ok(testProvider.captured.includes(CALLED), `there is no replies/${CALLED}.json`);
      testProvider.answerWith(CALLED);
      const { tool_calls = [] } = await testProvider.create().complete(testProvider.request({ tools: TOOLS }));
      assert.ok(tool_calls.length > 0, `no call was read from ${CALLED}.json`);
      for (const { id, name, arguments: written } of tool_calls) {
        assert.ok(id !== '' && name !== '', 'a call without an id or a name');
        assert.equal(typeof JSON.parse(written), 'object', 'the arguments are to be JSON text, as the model wrote it');
      }
    }),
    check('sends a response format', async () => {
      if (!supports().includes('response_format')) return;
      requireAll(await ask({ response_format: FORMAT }), ['verdict_8c5']);
    }),
  ];
}
