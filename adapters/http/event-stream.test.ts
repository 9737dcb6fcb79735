import { describe, expect, it } from 'vitest';
import { type ServerSentEvent, toEventStream } from './event-stream.ts';

describe('a stream of server-sent events', () => {
  it('writes each event with its data as a line of JSON', async () => {
    const events = [
      { event: 'delta', data: { text: 'a\nb' } },
      { event: 'end', data: {} },
    ];
    let text = '';
    for await (const chunk of toEventStream(ReadableStream.from(events))) text += chunk;
    expect(text).toBe('event: delta\ndata: {"text":"a\\nb"}\n\nevent: end\ndata: {}\n\n');
  });

  it('beats while there is no event, and ends its source when nobody reads any more', async () => {
    const gate = Promise.withResolvers<void>();
    let isLeft = false;
    async function* events(): AsyncGenerator<ServerSentEvent, void> {
      try {
        yield { event: 'start', data: 1 };
        await gate.promise;
        yield { event: 'end', data: 2 };
      } finally {
        isLeft = true;
      }
    }
    const stream = toEventStream(events(), 5);
    expect((await stream.next()).value).toContain('start');
    expect((await stream.next()).value).toBe(': heartbeat\n\n');
    gate.resolve();
    for (let next = await stream.next(); !next.value?.includes('end'); next = await stream.next());
    await stream.return();
    expect(isLeft).toBe(true);
  });
});
