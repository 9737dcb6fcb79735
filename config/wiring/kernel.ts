import { hash, randomUUID } from 'node:crypto';
import { systemRoutes } from '../../adapters/http/system-routes.ts';
import { explainIssues } from '../../adapters/http/validation.ts';
import type { DecodeBase64 } from '../../core/files/inline-content.ts';
import type { Explain } from '../../core/kernel/explain.ts';
import type { Clock, NewId } from '../../core/kernel/ports.ts';
import type { Pause } from '../../core/kernel/slices.ts';
import type { Sha256 } from '../../core/otel/otel-ids.ts';
import { capability, value } from './registration.ts';

const BASE64 = /^[\w+/-]*={0,2}$/;

const decodeBase64 = (text: string): Uint8Array | undefined =>
  text.length % 4 !== 1 && BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;

/** Values of the process that all capabilities use. */
export const kernel = capability({
  services: {
    clock: value<Clock>(() => new Date()),
    newId: value<NewId>(() => randomUUID()),
    sha256: value<Sha256>((bytes) => hash('sha256', bytes, 'hex')),
    decodeBase64: value<DecodeBase64>(decodeBase64),
    pause: value<Pause>(() => new Promise((resolve) => setImmediate(resolve))),
    explain: value<Explain>(explainIssues),
  },
  routes: [systemRoutes],
});
