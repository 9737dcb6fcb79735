import { readdirSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RECORD_TYPES } from '../core/traces/catalogue/span-types.ts';
import { readSample, type SampleRecord, walk } from './sample.ts';

interface Message {
  readonly role: string;
  readonly content: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string } }[];
}

const sample = readSample();
const traces = sample.flatMap((application) => application.traces);
const records = traces.flatMap((trace) => [...walk(trace)]);
const text = JSON.stringify(sample);

const start = (record: SampleRecord) => Date.parse(record.created_at) * 1e6;
const end = (record: SampleRecord) => start(record) + record.metrics.duration_ns;
const messages = (value: unknown) => (Array.isArray(value) ? value : [value]) as Message[];

describe('the sample', () => {
  it('holds at least sixty traces of three applications in less than 640 kB', () => {
    expect(sample).toHaveLength(3);
    expect(traces.length).toBeGreaterThanOrEqual(60);
    const folder = new URL('traces/', import.meta.url);
    const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(new URL(name, folder)).size, 0);
    expect(bytes).toBeLessThan(640_000);
  });

  it('gives every record an id of its own, a version 4 uuid', () => {
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
    for (const { id } of records) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('uses every type of record, and nests spans only where they may nest', () => {
    expect(new Set(records.map(({ type }) => type))).toEqual(new Set(RECORD_TYPES));
    for (const record of records) if (record.type === 'llm' || record.type === 'control') expect(record.spans).toBeUndefined();
    expect(records.some((record) => record.type === 'agent' && record.spans?.some((span) => span.type === 'agent'))).toBe(true);
  });

  it('keeps every span within the time of its parent', () => {
    for (const parent of records) {
      for (const span of parent.spans ?? []) {
        expect(start(span), span.id).toBeGreaterThanOrEqual(start(parent));
        expect(end(span), span.id).toBeLessThanOrEqual(end(parent));
      }
    }
  });

  it('adds up its tokens, and shows the first one before the last', () => {
    for (const record of records.filter(({ type }) => type === 'llm')) {
      const {
        num_input_tokens: input = 0,
        num_output_tokens: output = 0,
        ...rest
      } = record.metrics as Record<string, number | undefined>;
      expect(rest.num_total_tokens, record.id).toBe(input + output);
      if (rest.time_to_first_token_ns !== undefined) expect(rest.time_to_first_token_ns).toBeLessThan(record.metrics.duration_ns);
      else expect(output, record.id).toBe(0);
    }
  });

  it('pairs every tool message and every tool span to a call made before, under the same name', () => {
    for (const trace of traces) {
      const called = new Map<string, string>();
      for (const record of walk(trace)) {
        if (record.type === 'llm') {
          for (const { tool_call_id } of messages(record.input))
            if (tool_call_id) expect(called.has(tool_call_id), record.id).toBe(true);
          for (const call of messages(record.output ?? []).flatMap(({ tool_calls = [] }) => tool_calls))
            called.set(call.id, call.function.name);
        }
        const id = (record as { tool_call_id?: string }).tool_call_id;
        if (id) expect(called.get(id), record.id).toBe(record.name);
      }
    }
  });

  it('has shapes that fit the record type', () => {
    for (const record of records) {
      if (record.type === 'llm')
        for (const { role, content } of messages(record.input))
          expect([typeof role, typeof content]).toEqual(['string', 'string']);
      if (record.type === 'retriever')
        for (const document of record.output as { content: unknown }[]) expect(typeof document.content).toBe('string');
      if (['tool', 'trace', 'retriever'].includes(record.type)) expect(typeof record.input).toBe('string');
      if (['tool', 'trace'].includes(record.type)) expect(['string', 'undefined']).toContain(typeof record.output);
    }
  });

  it('speaks many languages and goes wrong in many ways', () => {
    const scripts = ['Latin', 'Han', 'Hiragana', 'Hangul', 'Arabic', 'Devanagari'];
    for (const script of scripts) expect(text, script).toMatch(new RegExp(`\\p{Script=${script}}{2}`, 'u'));
    expect(text).toMatch(/\p{Emoji_Presentation}/u);
    expect(text).toMatch(/o\u0308/);
    const codes = new Set(records.map(({ status_code }) => status_code));
    for (const code of [200, 400, 500, 504]) expect(codes).toContain(code);
    const finished = new Set(records.map((record) => (record as { finish_reason?: string }).finish_reason));
    for (const reason of ['stop', 'length', 'tool_calls', 'error']) expect(finished).toContain(reason);
    expect(records.some(({ type, output }) => type === 'retriever' && (output as unknown[]).length === 0)).toBe(true);
    expect(traces.filter(({ output }) => typeof output === 'string' && output.length > 5000).length).toBeGreaterThanOrEqual(3);
  });

  it('has conversations of several turns, in order', () => {
    const sessions = Map.groupBy(
      traces.filter(({ session_id }) => session_id),
      ({ session_id }) => session_id,
    );
    expect(sessions.size).toBeGreaterThanOrEqual(6);
    for (const turns of sessions.values()) {
      expect(turns.length).toBeGreaterThanOrEqual(3);
      expect(turns.map(start)).toEqual(turns.map(start).sort((a, b) => a - b));
    }
  });
});
