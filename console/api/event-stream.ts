/** An event of a stream of server-sent events; its data is JSON. */
export interface StreamedEvent {
  readonly event: string;
  readonly data: unknown;
}

/** The events of a reply, those that came together in one list. Comments are left out. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<readonly StreamedEvent[], void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop()!;
      const events = blocks.flatMap(parseEvent);
      if (events.length > 0) yield events;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseEvent(block: string): StreamedEvent[] {
  const event = /^event: (.*)$/m.exec(block)?.[1];
  const data = /^data: (.*)$/m.exec(block)?.[1];
  return event === undefined || data === undefined ? [] : [{ event, data: JSON.parse(data) }];
}
