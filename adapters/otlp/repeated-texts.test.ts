import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../core/kernel/json.ts';
import { runAtOnce } from '../../core/kernel/slices.ts';
import { destinations } from '../../core/otel/destination.ts';
import { mapRequest } from '../../core/otel/spans/map-request.ts';
import type { MappedSpan } from '../../core/otel/spans/mapped-span.ts';
import type { OtlpRequest } from '../../core/otel/spans/otlp-span.ts';
import { MAPPING } from '../../test/fixtures/otel/short-form.ts';
import { SENDERS } from '../../test/senders/senders.ts';
import type { Captured } from '../../test/senders/sent.ts';
import { WireOtlpCodec } from './wire-otlp-codec.ts';

/** Words of the conversation that every sender has; each is made as long as such texts are in earnest. */
const WORDS = ['Be brief.', 'What is the weather in Paris?', 'Paris is the capital of France.'];
const MORE = ` ${'and so on '.repeat(200)}`;

/** Attributes that put another word before the text, so that it is not the same. */
const WITH_MORE_WORDS: Readonly<Record<string, readonly string[]>> = { 'llama-index-openinference': ['output.value'] };

const codec = new WireOtlpCodec();

describe('long texts of a call', () => {
  it.each(SENDERS)('are kept once of what $id sent', ({ id }) => {
    const calls = mapLong(id).filter(({ type }) => type === 'llm');
    const again = calls.flatMap(({ user_metadata }) =>
      Object.keys(user_metadata).filter((key) => user_metadata[key]!.includes(MORE)),
    );
    expect(again).toEqual(WITH_MORE_WORDS[id] ?? []);
  });

  it('are there', () => {
    const told = SENDERS.flatMap(({ id }) => mapLong(id)).filter(({ input }) => JSON.stringify(input).includes(MORE));
    expect(told.length).toBeGreaterThan(SENDERS.length);
  });

  it('are named where a sender wrote them again', () => {
    const [call] = mapLong('openai-openinference').filter(({ type }) => type === 'llm');
    expect(JSON.parse(call!.user_metadata['input.value']!)).toMatchObject({
      messages: [{ content: '[same as input[0].content]' }, { content: '[same as input[1].content]' }],
    });
  });
});

/** The spans of a sender, with long words. */
function mapLong(id: string): readonly MappedSpan[] {
  const { requests } = JSON.parse(readFileSync(join('test/fixtures/otel/captured/requests', `${id}.json`), 'utf8')) as Captured;
  const ofTraces = requests.filter(({ path }) => path.endsWith('/traces'));
  return ofTraces.flatMap(({ content_type, base64 }) => {
    const encoding = content_type.includes('json') ? 'json' : 'protobuf';
    const request = lengthen(runAtOnce(codec.decode(Buffer.from(base64, 'base64'), encoding))) as OtlpRequest;
    const { groups, refused } = mapRequest(request, destinations({}, ['eval.']), MAPPING);
    expect(refused).toEqual([]);
    return groups.flatMap(({ spans }) => spans);
  });
}

/** A decoded request whose words are long ones, wherever they stand. */
function lengthen(value: unknown): unknown {
  if (typeof value === 'string') return WORDS.reduce((text, word) => text.replaceAll(word, word + MORE), value);
  if (Array.isArray(value)) return value.map(lengthen);
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, lengthen(item) as JsonValue]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, lengthen(item)]));
}
