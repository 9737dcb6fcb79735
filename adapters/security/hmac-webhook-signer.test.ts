import { expect, it } from 'vitest';
import { HmacWebhookSigner } from './hmac-webhook-signer.ts';

it('signs as the example of the Standard Webhooks specification', () => {
  const signature = new HmacWebhookSigner().sign(
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    1614265330,
    '{"test": 2432232314}',
  );
  expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

it('makes secrets of 256 bits, each another one', () => {
  const signer = new HmacWebhookSigner();
  const secret = signer.newSecret();
  expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32);
  expect(signer.newSecret()).not.toBe(secret);
});
