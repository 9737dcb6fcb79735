import { PluginError } from '../../core/plugin-sdk/index.ts';
import { toOutboundFailure } from './outbound-failure.ts';

/** Stream of a reply's body, limited after inflating; breaks off with a PluginError when it is too much, or when the sender breaks off. */
export function limited(body: ReadableStream<Uint8Array>, maxBytes: number, signal: AbortSignal): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let size = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        size += value.byteLength;
        if (size > maxBytes) throw new PluginError('bad_reply', `the reply is longer than ${maxBytes} bytes`);
        controller.enqueue(value);
      } catch (error) {
        controller.error(signal.aborted ? signal.reason : toOutboundFailure(error));
        await reader.cancel().catch(() => undefined);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
