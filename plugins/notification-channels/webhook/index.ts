import { defineNotificationChannel, PluginError, z } from '../../../core/plugin-sdk/index.ts';

const Settings = z.strictObject({
  url: z.url().max(2048).describe('The URL that is called, https unless the operator allows it otherwise.'),
});

/** Calls a URL, signed by the Standard Webhooks specification. */
export const webhook = defineNotificationChannel({
  id: 'webhook',
  sdk: 1,
  stability: 'stable',
  label: 'Webhook',
  summary: 'Calls a URL with a signed JSON body.',
  settings: Settings,
  is_signed: true,
  create: (host, { url }) => ({
    async send({ id, type, timestamp, data }, signal) {
      const body = JSON.stringify({ type, timestamp, data });
      const seconds = Math.floor(host.clock().getTime() / 1000);
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'touchstone',
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': host.sign(id, seconds, body),
      };
      const { status, ok } = await reach(
        () => host.fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal }),
        signal,
      );
      if (!ok) throw new PluginError('unavailable', `the URL returned ${status}`, { status });
      return { status };
    },
  }),
});

/** Of the reply only the status is looked at: what it says may repeat the URL, which may hold a token. */
async function reach(call: () => Promise<Response>, signal: AbortSignal): Promise<Response> {
  try {
    const reply = await call();
    await reply.body?.cancel();
    return reply;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PluginError) throw error;
    throw new PluginError('unavailable', 'the call failed');
  }
}
