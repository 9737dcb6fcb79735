import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { digestQuestion } from './answer-cache.ts';
import type { QuestionFile } from './model-call.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const digestOf = (...files: Pick<QuestionFile, 'media_type' | 'digest'>[]): string => {
  const read = () => Promise.reject(new Error('a digest reads no file'));
  const messages = [{ role: 'user' as const, content: 'look', files: files.map((file) => ({ ...file, read })) }];
  return digestQuestion({ provider: 'p', model: 'm', scope: '' }, { messages }, undefined, sha256);
};

it('the digest of a question is that of its text and of what its files hold, in their order', () => {
  const [red, blue] = [
    { media_type: 'image/png', digest: 'red' },
    { media_type: 'image/png', digest: 'blue' },
  ];
  expect(digestOf(red, blue)).toBe(digestOf({ ...red }, { ...blue }));
  const digests = [digestOf(), digestOf(red), digestOf(blue), digestOf(red, blue), digestOf(blue, red)];
  expect(new Set(digests).size).toBe(digests.length);
});
