import { hash, randomUUID } from 'node:crypto';
import { systemRoutes } from '../../adapters/http/system-routes.ts';
import { explainIssues } from '../../adapters/http/validation.ts';
import type { Explain } from '../../core/kernel/explain.ts';
import type { Clock, NewId } from '../../core/kernel/ports.ts';
import type { Pause } from '../../core/kernel/slices.ts';
import type { Sha256 } from '../../core/otel/otel-ids.ts';
import { capability, value } from './registration.ts';

/** Values of the process that all capabilities use. */
export const kernel = capability({
  services: {
    clock: value<Clock>(() => new Date()),
    newId: value<NewId>(() => randomUUID()),
    sha256: value<Sha256>((bytes) => hash('sha256', bytes, 'hex')),
    pause: value<Pause>(() => new Promise((resolve) => setImmediate(resolve))),
    explain: value<Explain>(explainIssues),
  },
  routes: [systemRoutes],
});
