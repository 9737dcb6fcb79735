import { describe, expect, it } from 'vitest';
import { processorMs } from '../../test/setup/timing.ts';
import { render, renderText, sampleFor, variablesIn } from './render.ts';

describe('a template', () => {
  it('names its variables once, in order of appearance, in all its texts', () => {
    const content = [
      { role: 'system', content: 'Be {{ tone }}. {{input}}' },
      {
        role: 'user',
        content: [
          { type: 'text', text: '{{input}} {{a.b}}' },
          { type: 'file', file_id: '{{no}}' },
        ],
      },
    ];
    expect(variablesIn(content)).toEqual(['tone', 'input', 'a.b']);
    expect(variablesIn('{{}} {{ }} {x} }}{{')).toEqual([]);
  });

  it('is filled with texts as they are, null as nothing, and anything else as JSON', () => {
    const values = {
      input: 'a $& {{n}}',
      n: 1.5,
      gone: null,
      map: { b: 'x', 'c.d': 2 },
      text: '{"b": {"c": true}}',
      'x.y': 'own',
    };
    expect(renderText('{{input}}|{{ n }}|{{gone}}|{{map}}', values).result).toBe('a $& {{n}}|1.5||{"b":"x","c.d":2}');
    expect(renderText('{{map.b}}|{{map.c.d}}|{{text.b.c}}|{{x.y}}', values).result).toBe('x|2|true|own');
  });

  it('leaves variables without a value as they stand, and names them', () => {
    const { result, missing } = renderText('{{a}} {{ b.c }} {{a}} {{toString}}', { b: 'no map' });
    expect(result).toBe('{{a}} {{ b.c }} {{a}} {{toString}}');
    expect(missing).toEqual(['a', 'b.c', 'toString']);
  });

  it('keeps what its messages have beside texts', () => {
    const content = [{ role: 'tool', content: '{{a}}', tool_call_id: '{{a}}' }];
    expect(render(content, { a: '1' }).result).toEqual([{ role: 'tool', content: '1', tool_call_id: '{{a}}' }]);
  });

  it('has a sample that fills it', () => {
    const template = '{{input}} {{m.topic}} {{m.lang}}';
    const sample = sampleFor(variablesIn(template));
    expect(sample).toEqual({ input: 'input', m: { topic: 'topic', lang: 'lang' } });
    expect(renderText(template, sample).missing).toEqual([]);
  });

  it('is read in linear time, whatever it looks like', () => {
    expect(processorMs(() => renderText(`{{${' '.repeat(200_000)}`, {}))).toBeLessThan(1_000);
    expect(processorMs(() => renderText('{{'.repeat(100_000), {}))).toBeLessThan(1_000);
  });

  it('parses the text of a map once, however often and by however many names it is asked', () => {
    const map = JSON.stringify({ a: 'x', long: 'y'.repeat(500_000) });
    const template = Array.from({ length: 20_000 }, (_, at) => `{{map.a}}{{map.b${at}}}`).join('');
    const took = processorMs(() => expect(renderText(template, { map }).missing).toHaveLength(20_000));
    expect(took).toBeLessThan(2_000);
  });

  it('looks into maps as deep as they are named, and has no value for endless names', () => {
    const depth = 50_000;
    const map = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    expect(renderText(`{{map${'.a'.repeat(2_000)}.gone}}`, { map }).missing).toHaveLength(1);
    expect(renderText(`{{map${'.a'.repeat(depth)}}}`, { map }).missing).toHaveLength(1);
  });

  it('refuses a text that would be far longer than what was sent', () => {
    const values = { long: 'x'.repeat(1_000_000) };
    expect(renderText('{{long}}'.repeat(30), values).result).toHaveLength(30_000_000);
    expect(() => renderText('{{long}}'.repeat(100_000), values)).toThrow(expect.objectContaining({ code: 'rendered_too_large' }));
    const messages = Array.from({ length: 40 }, () => ({ role: 'user' as const, content: '{{long}}' }));
    expect(() => render(messages, values)).toThrow(expect.objectContaining({ code: 'rendered_too_large' }));
  });
});
