import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookSigner } from '../../core/trends/webhook.ts';

const PREFIX = 'whsec_';

export class HmacWebhookSigner implements WebhookSigner {
  newSecret(): string {
    return PREFIX + randomBytes(32).toString('base64');
  }

  sign(secret: string, id: string, timestamp: number, body: string): string {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  }
}
