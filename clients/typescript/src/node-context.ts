import type { ContextManager } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';

/** The context of Node: spans nest through promises, timers and callbacks. */
export const openContextManager = (): ContextManager => new AsyncLocalStorageContextManager().enable();
