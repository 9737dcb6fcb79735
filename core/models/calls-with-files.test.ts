import { describe, expect, it } from 'vitest';
import { CallsWithFiles } from './calls-with-files.ts';
import type { QuestionFile } from './model-call.ts';

const { signal } = new AbortController();
const file = (read: QuestionFile['read'] = async () => new Uint8Array([7])): QuestionFile => ({
  media_type: 'image/png',
  digest: 'a',
  read,
});
const asking = (...files: QuestionFile[]) => [{ role: 'user' as const, content: 'look', files }];

describe('calls with files', () => {
  it('have the bytes of their files, in their order', async () => {
    const { messages } = await new CallsWithFiles().open(
      asking(
        file(),
        file(async () => new Uint8Array([8])),
      ),
      'a',
      signal,
    );
    expect(messages).toEqual([
      {
        role: 'user',
        content: 'look',
        files: [7, 8].map((byte) => ({ media_type: 'image/png', bytes: new Uint8Array([byte]) })),
      },
    ]);
  });

  it('wait for each other beyond their number, while those without files pass', async () => {
    const calls = new CallsWithFiles(1);
    const first = await calls.open(asking(file()), 'a', signal);
    let opened = 0;
    const second = calls.open(asking(file()), 'a', signal).then((open) => {
      opened += 1;
      return open;
    });
    await calls.open([{ role: 'user', content: 'look' }], 'a', signal);
    expect(opened).toBe(0);
    first.release();
    (await second).release();
    await calls.open(asking(file()), 'b', signal);
  });

  it('leave their place when a file cannot be read, or nobody waits any more', async () => {
    const calls = new CallsWithFiles(1);
    const lost = new Error('gone');
    const failing = calls.open(asking(file(() => Promise.reject(lost))), 'a', signal);
    await expect(failing).rejects.toBe(lost);
    const held = await calls.open(asking(file()), 'a', signal);
    const reason = new Error('not wanted any more');
    const stop = new AbortController();
    const waiting = calls.open(asking(file()), 'a', stop.signal);
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    held.release();
    await calls.open(asking(file()), 'a', signal);
  });
});
