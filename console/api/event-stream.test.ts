import { describe, expect, it } from 'vitest';
import { readEvents } from './event-stream.ts';

const read = async (...chunks: string[]) => {
  const bytes = new TextEncoder().encode(chunks.join('\u0000'));
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const [at, byte] of bytes.entries())
    if (byte === 0) {
      parts.push(bytes.slice(from, at));
      from = at + 1;
    }
  const found = [];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of [...parts, bytes.slice(from)]) controller.enqueue(part);
      controller.close();
    },
  });
  for await (const events of readEvents(body)) found.push(...events);
  return found;
};

describe('a stream of events', () => {
  it('is read wherever it was cut, without its comments', async () => {
    const events = await read('event: del', 'ta\ndata: {"text":"漢字"}\n', '\n: heartbeat\n\nevent: end\nda', 'ta: {}\n\n');
    expect(events).toEqual([
      { event: 'delta', data: { text: '漢字' } },
      { event: 'end', data: {} },
    ]);
  });

  it('leaves out what broke off', async () => {
    expect(await read('event: end\ndata: {}\n\nevent: delta\ndata: {"te')).toEqual([{ event: 'end', data: {} }]);
  });
});
