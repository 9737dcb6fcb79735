import { expect, it } from 'vitest';
import { CircuitBreaker } from './circuit-breaker.ts';

const settings = { maxTimeouts: 2, maxFailures: 3, openMs: 1_000, maxOpenMs: 3_000 };
const timedOut = { timedOut: true, isTry: false };
const failed = { timedOut: false, isTry: false };
const aTry = { timedOut: true, isTry: true };

it('opens after so many different questions in a row without an answer in time', () => {
  const circuit = new CircuitBreaker(settings);
  for (let again = 0; again < 10; again += 1) circuit.onFailure(0, 'the same', timedOut);
  expect(circuit.stateAt(0)).toBe('closed');
  circuit.onFailure(0, 'another', timedOut);
  expect(circuit.stateAt(0)).toBe('open');
  expect(circuit.admit(400)).toMatchObject({ retryAfterMs: 600, isTry: false });
});

it('counts from the beginning after an answer, and takes more failures that come at once than late ones', () => {
  const circuit = new CircuitBreaker(settings);
  circuit.onFailure(0, 'a', timedOut);
  circuit.onSuccess();
  for (const question of ['b', 'c']) circuit.onFailure(0, question, failed);
  expect(circuit.stateAt(0)).toBe('closed');
  circuit.onFailure(0, 'd', failed);
  expect(circuit.stateAt(0)).toBe('open');
});

it('lets one call through when it has been open long enough, and closes when that is answered', () => {
  const circuit = new CircuitBreaker(settings);
  for (const question of ['a', 'b']) circuit.onFailure(0, question, timedOut);
  expect(circuit.stateAt(1_000)).toBe('half_open');
  expect(circuit.admit(1_000)).toMatchObject({ retryAfterMs: undefined, isTry: true });
  expect(circuit.admit(1_000).retryAfterMs).toBeGreaterThan(0);
  circuit.onSuccess();
  expect(circuit.stateAt(1_000)).toBe('closed');
  expect(circuit.admit(1_000)).toMatchObject({ retryAfterMs: undefined, isTry: false });
});

it('stays open twice as long after each try that fails, up to its limit, and takes another try when one is cancelled', () => {
  const circuit = new CircuitBreaker(settings);
  for (const question of ['a', 'b']) circuit.onFailure(0, question, timedOut);
  expect(circuit.admit(1_000).isTry).toBe(true);
  circuit.onCancel({ isTry: true });
  expect(circuit.admit(1_000).isTry).toBe(true);
  circuit.onFailure(1_000, 'c', aTry);
  expect(circuit.admit(1_000).retryAfterMs).toBe(2_000);
  expect(circuit.admit(3_000).isTry).toBe(true);
  circuit.onFailure(3_000, 'c', aTry);
  expect(circuit.admit(3_000).retryAfterMs).toBe(3_000);
});

it('lets calls that are no completion pass unless it is open; they keep it from closing, and do not close it', () => {
  const circuit = new CircuitBreaker(settings);
  for (const question of ['a', 'b']) circuit.onFailure(0, question, timedOut);
  expect(circuit.admitProbe(400).retryAfterMs).toBe(600);
  const probe = circuit.admitProbe(1_000);
  expect(probe).toEqual({ retryAfterMs: undefined, isTry: false, isProbe: true });
  circuit.onSuccess(probe);
  expect(circuit.stateAt(1_000)).toBe('half_open');
  circuit.onFailure(1_000, '', { timedOut: false, ...probe });
  expect(circuit.stateAt(2_999)).toBe('open');
});
