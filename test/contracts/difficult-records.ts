import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../core/kernel/json.ts';
import type { LogRecord } from '../../core/traces/record.ts';

/** As a body brings it: an object literal would set the prototype. */
const parsed = (json: string): JsonObject => JSON.parse(json) as JsonObject;

const NASTY =
  'NUL \0, halves \ud83e and \udd9c, U+F8FF \uf8ff, like an escape \uf8ff0000, emoji \u{1f99c}, "quotes" \\ \n\t\u2028';

/** Values of language model traffic that a database may not give back as they were. */
export const DIFFICULT: readonly (readonly [string, Partial<LogRecord>])[] = [
  [
    'every field of a span',
    {
      type: 'llm',
      session_id: randomUUID(),
      name: 'answer',
      created_at: '2026-11-21T07:08:09.123456Z',
      input: [
        { role: 'system', content: 'be kind' },
        { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      ],
      output: { role: 'assistant', content: '', tool_calls: [{ id: '1', function: { name: 'f', arguments: '{"a": 1}' } }] },
      redacted_input: [{ role: 'user', content: '***' }],
      redacted_output: { role: 'assistant', content: '***' },
      status_code: -1,
      step_number: 7,
      tags: ['b', 'a', '', '{x,"y"}', 'NULL'],
      external_id: 'mine',
      has_children: true,
      dataset_input: 'in',
      dataset_output: 'out',
      user_metadata: { a: [1, { b: null }], c: true },
      dataset_metadata: { d: 'e' },
      metrics: {
        duration_ns: 9_007_199_254_740_991,
        num_input_tokens: 3,
        accuracy: 0.1,
        labels: ['x'],
        nested: { deep: 5e-324 },
      },
      attributes: {
        model: 'm',
        temperature: 0.7,
        finish_reason: 'stop',
        tools: [{ type: 'function', function: { name: 'f', aa: 1, b: 2 } }],
        events: [{ type: 'reasoning', summary: null }],
      },
    },
  ],
  ['a text payload', { type: 'workflow', input: '', output: '' }],
  ['a text that looks like JSON', { type: 'tool', input: '[{"role":"user"}]', output: '{"a":1}' }],
  ['a text "null"', { type: 'tool', input: 'null', output: 'null' }],
  ['no output', { type: 'tool', output: null, redacted_input: null, redacted_output: null }],
  ['empty lists', { type: 'retriever', output: [], tags: [], user_metadata: {}, metrics: {} }],
  [
    'documents',
    {
      type: 'retriever',
      input: 'query',
      output: [
        { content: NASTY, metadata: { page: 1, ok: true } },
        { content: '', metadata: {} },
      ],
    },
  ],
  ['troublesome characters in texts', { type: 'tool', input: NASTY, output: NASTY, dataset_input: NASTY, dataset_output: NASTY }],
  ['a lone surrogate at either end', { type: 'tool', input: '\udd9cx\ud83e', output: '\ud83e\0\udd9c' }],
  [
    'content blocks',
    {
      type: 'workflow',
      input: [
        { type: 'text', text: NASTY },
        { type: 'file', file_id: 'f-1' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', [NASTY]: [NASTY, null, 1.5] } },
        parsed('{"type": "text", "text": "", "__proto__": {"a": 1}}'),
      ],
      output: [{ type: 'text', text: '\udd9cx\ud83e\0' }],
      redacted_input: [{ type: 'text', text: '***' }],
      redacted_output: [{ type: 'text', text: NASTY }],
    },
  ],
  [
    'content blocks beside a text and beside messages',
    { type: 'agent', input: 'plain', output: [{ type: 'file', file_id: '\0' }] },
  ],
  ['a list of documents that have a type', { type: 'workflow', input: '', output: [{ type: 'Document', page_content: NASTY }] }],
  [
    'an object that a control decided',
    { type: 'control', output: { action: 'deny', matched: true, confidence: 0.25, [NASTY]: NASTY } },
  ],
  ['a role that nobody knows', { type: 'llm', input: [{ role: NASTY, content: 'x' }], output: { role: '', content: '' } }],
  [
    'troublesome characters in messages',
    { type: 'agent', input: [{ role: 'user', content: NASTY }], output: { role: 'assistant', content: NASTY, [NASTY]: NASTY } },
  ],
  [
    'troublesome characters in metadata',
    { user_metadata: { [NASTY]: [NASTY, { [NASTY]: NASTY }] }, dataset_metadata: { k: NASTY } },
  ],
  [
    'troublesome characters in metrics and attributes',
    { type: 'llm', metrics: { [NASTY]: NASTY }, attributes: { tools: [{ [NASTY]: NASTY }] } },
  ],
  ['a name and an external id of many letters', { name: 'Straße \uf8ff \u{1f99c} %_\\', external_id: '\uf8ff' }],
  [
    'keys that objects treat in a special way',
    {
      user_metadata: parsed(
        '{"__proto__": {"polluted": 1}, "constructor": "c", "toString": 1, "": "empty", "nested": {"__proto__": null}}',
      ),
      metrics: parsed('{"__proto__": 1, "hasOwnProperty": 2}'),
    },
  ],
  [
    'numbers at the edges',
    { metrics: { a: 1e308, b: -1e-308, c: 5e-324, d: 1.7976931348623157e308, e: 0.1 + 0.2 }, status_code: 2_147_483_647 },
  ],
  ['the first and the last moment', { created_at: '0001-01-01T00:00:00.000Z' }],
  ['the last microsecond', { created_at: '9999-12-31T23:59:59.999999Z' }],
  ['a moment in milliseconds', { created_at: '2026-11-21T07:08:09.120Z' }],
  ['big texts', { type: 'tool', input: 'x\u{1f99c}'.repeat(400_000), output: '\0'.repeat(1_000) }],
  ['deep metadata', { user_metadata: parsed(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`) }],
];
