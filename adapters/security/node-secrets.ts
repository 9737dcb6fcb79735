import { createHash, randomBytes } from 'node:crypto';
import type { Secrets } from '../../core/access/login/identity.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^43 is just above 2^256. */
const LENGTH = 43;

export class NodeSecrets implements Secrets {
  mint(prefix: string): string {
    let number = BigInt(`0x${randomBytes(32).toString('hex')}`);
    let text = '';
    for (let digit = 0; digit < LENGTH; digit += 1) {
      text = ALPHABET[Number(number % 62n)]! + text;
      number /= 62n;
    }
    return prefix + text;
  }

  digest(secret: string): string {
    return createHash('sha256').update(secret, 'utf8').digest('hex');
  }
}
