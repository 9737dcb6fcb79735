import { createContextKey, ROOT_CONTEXT } from '@opentelemetry/api';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openContextManager } from './web-context.ts';

const KEY = createContextKey('test');
const context = ROOT_CONTEXT.setValue(KEY, 'inside');
const pause = () => new Promise((resolve) => setImmediate(resolve));
afterEach(() => vi.unstubAllGlobals());

describe('the context outside of Node', () => {
  it('goes through promises where the runtime has AsyncLocalStorage', async () => {
    const manager = openContextManager();
    const found = await manager.with(context, async () => {
      await pause();
      return manager.active().getValue(KEY);
    });
    expect(found).toBe('inside');
    expect(manager.active()).toBe(ROOT_CONTEXT);
  });

  it('holds until the first await where it has none, and never leaks into another call', async () => {
    vi.stubGlobal('process', undefined);
    const manager = openContextManager();
    vi.unstubAllGlobals();
    const seen: unknown[] = [];
    const work = manager.with(context, async () => {
      seen.push(manager.active().getValue(KEY));
      await pause();
      seen.push(manager.active().getValue(KEY));
    });
    expect(manager.active()).toBe(ROOT_CONTEXT);
    await work;
    expect(seen).toEqual(['inside', undefined]);
    expect(() => manager.with(context, () => JSON.parse('{'))).toThrow(SyntaxError);
    expect(manager.active()).toBe(ROOT_CONTEXT);
  });

  it('is bound to a function', () => {
    const manager = openContextManager();
    const bound = manager.bind(context, (plus: string) => `${manager.active().getValue(KEY)}${plus}`);
    expect(bound('!')).toBe('inside!');
    expect(manager.bind(context, 7)).toBe(7);
  });
});
