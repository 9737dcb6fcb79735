import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { PluginError, type PluginFailure } from '../core/plugin-sdk/index.ts';

/** One thing that a plugin has to hold. */
export interface Check {
  readonly name: string;
  /** Throws, or rejects, when the plugin does not hold it. */
  readonly run: () => unknown;
}

/** Checks of one plugin: run under vitest by the plugin's own test, or by `npm run plugin:check`. */
export interface CheckList {
  readonly title: string;
  readonly checks: readonly Check[];
  /** Before the first check, before each, and after the last. */
  readonly open: () => Promise<void>;
  readonly reset: () => void;
  readonly close: () => Promise<void>;
}

/** As it is written with `as const`. */
export type Fixed<T> = { readonly [Name in keyof T]: Fixed<T[Name]> };

export const check = (name: string, run: () => unknown): Check => ({ name, run });

/** The same as JSON: a field that is undefined is one that is not there. */
export const expectSame = (actual: unknown, expected: unknown): void => assert.deepEqual(plain(actual), plain(expected));

export const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

/** Returns the error that a call rejects with; fails when that is no PluginError. */
export async function captureFailure(call: Promise<unknown>): Promise<PluginError> {
  const outcome = await call.then(
    (value) => new Error(`no error, but ${inspect(value)}`),
    (error: unknown) => error,
  );
  if (!(outcome instanceof PluginError)) assert.fail(`a PluginError was to be thrown: ${inspect(outcome)}`);
  return outcome;
}

export async function expectFailure(call: Promise<unknown>, failure: PluginFailure): Promise<PluginError> {
  const error = await captureFailure(call);
  assert.equal(error.failure, failure);
  return error;
}

/** Nowhere: not in messages, causes, stacks, nor in anything reachable from them. */
export function expectNone(canaries: readonly string[], ...places: readonly unknown[]): void {
  const shown = inspect(places, { depth: 12, showHidden: true, maxStringLength: null, maxArrayLength: null });
  const found = canaries.filter((canary) => shown.includes(canary));
  assert.deepEqual(found, [], `shows ${found.join(', ')}`);
}

export async function until(what: string, holds: () => boolean, limitMs = 2_000): Promise<void> {
  const end = Date.now() + limitMs;
  while (!holds()) {
    if (Date.now() > end) assert.fail(`waited for ${what} in vain`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
