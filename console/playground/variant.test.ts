import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/kernel/json.ts';
import { newVariant, toCallVariant, toRequest, toVariant } from './variant.ts';

describe('a variant of the playground', () => {
  it('is sent as typed: a text, or messages, with what was chosen of the settings', () => {
    expect(toRequest(newVariant('hello {{name}}'))).toEqual({ template: 'hello {{name}}', settings: {} });
    const messages = [{ role: 'user', content: 'hello' }];
    const typed = { ...newVariant(JSON.stringify(messages), ' small '), temperature: '0.5' };
    expect(toRequest(typed)).toEqual({ template: messages, settings: { model_alias: 'small', temperature: 0.5 } });
  });

  it('without a text, or with words for a number, says so', () => {
    expect(() => toRequest(newVariant(' '))).toThrow('no prompt text');
    expect(() => toRequest({ ...newVariant('a'), temperature: 'warm' })).toThrow('"warm" is not a number');
  });

  it('keeps tools, response format and every other setting of a prompt', () => {
    const settings = {
      model_alias: 'm',
      temperature: 0,
      tools: [{ name: 'f' }],
      response_format: { type: 'json_object' },
      top_p: 0.5,
    };
    expect(toRequest(toVariant('x', settings)).settings).toEqual(settings);
    expect(() => toRequest({ ...newVariant('x'), tools: '[{' })).toThrow('Tools: not valid JSON');
  });

  it('takes over a logged call with its messages of tools, its tools and its temperature', () => {
    const input: JsonObject[] = [
      { role: 'user', content: 'weather?' },
      { role: 'assistant', content: '', tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'c', content: 'rain' },
    ];
    const tools = [{ type: 'function', function: { name: 'f' } }];
    expect(toRequest(toCallVariant({ input, model: 'm', temperature: 1, tools }))).toEqual({
      template: input,
      settings: { model_alias: 'm', temperature: 1, tools },
    });
    expect(toRequest(toCallVariant({ input: input[0]!, tools: [] })).template).toEqual([input[0]]);
    expect(toRequest(toCallVariant({ input: 'plain' })).template).toBe('plain');
  });
});
