import { expect, it } from 'vitest';
import { payloadText } from './payload-text.ts';

it.each([
  [
    'content blocks are their texts',
    [
      { type: 'text', text: 'a' },
      { type: 'image_url', image_url: { url: 'data:' } },
      { type: 'text', text: 'b' },
    ],
    'a\nb',
  ],
  [
    'files are labels with the beginning of their ids',
    [
      { type: 'text', text: 'a' },
      { type: 'file', file_id: '4e1243bd-22c6-8e76-82ba-9eddc1f91394', modality: 'image' },
      { type: 'file', file_id: 'file ] of others' },
    ],
    'a\n[image: file 4e1243bd]\n[file: file fileofothers]',
  ],
  [
    'files of messages are labels, too',
    [{ role: 'user', content: [{ type: 'file', file_id: '4e1243bd-22c6-8e76-82ba-9eddc1f91394', modality: 'audio' }] }],
    'user: [audio: file 4e1243bd]',
  ],
  ['content blocks without a text are an empty one', [{ type: 'image_url', image_url: { url: 'data:' } }], ''],
  [
    'a list of other things is its JSON',
    [{ type: 'text', text: 'a' }, { text: 'b' }],
    '[{"type":"text","text":"a"},{"text":"b"}]',
  ],
  ['documents that have a type are chunks', [{ type: 'Document', page_content: 'a' }], '[1] a'],
  ['messages say who spoke, in a role that nobody knows, too', [{ role: 'critic', content: 'no' }], 'critic: no'],
  ['what a control decided is its JSON', { action: 'deny', confidence: 0.5 }, '{"action":"deny","confidence":0.5}'],
])('%s', (_what, payload, text) => {
  expect(payloadText(payload)).toBe(text);
});
