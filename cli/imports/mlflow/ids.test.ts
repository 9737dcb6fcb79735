import { describe, expect, it } from 'vitest';
import { toMlflowSpan, toMlflowTrace } from './ids.ts';

describe('ids of MLflow', () => {
  it.each(['25c514ab1a8e4ba1', '0x25c514ab1a8e4ba1', 'JcUUqxqOS6E='])('finds the id of OpenTelemetry in %s of a span', (id) =>
    expect(toMlflowSpan(id)).toBe('25c514ab1a8e4ba1'),
  );

  it.each(['tr-aa8efff798038103d269b633813fc60c', '0xaa8efff798038103d269b633813fc60c', 'qo7/95gDgQPSabYzgT/GDA=='])(
    'finds the id of OpenTelemetry in %s of a trace',
    (id) => expect(toMlflowTrace(id)).toBe('aa8efff798038103d269b633813fc60c'),
  );

  it('makes the same digits of any other id each time', () => {
    expect(toMlflowTrace('mine')).toMatch(/^[\da-f]{32}$/);
    expect(toMlflowTrace('mine')).toBe(toMlflowTrace('mine'));
    expect(toMlflowTrace('mine')).not.toBe(toMlflowTrace('yours'));
  });
});
