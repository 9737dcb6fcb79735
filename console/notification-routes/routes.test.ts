import { describe, expect, it } from 'vitest';
import { severitiesText, toRoute, trialText } from './routes.ts';

describe('a route', () => {
  it('is read from its form, whose order does not matter', () => {
    const values = new FormData();
    for (const [name, value] of [
      ['name', ' on call '],
      ['severity', 'critical'],
      ['severity', 'info'],
    ] as const)
      values.append(name, value);
    expect(toRoute(values)).toEqual({ name: 'on call', severities: ['info', 'critical'] });
  });

  it('says its severities, and the result of a test, in words', () => {
    expect(severitiesText(['info', 'warning', 'critical'])).toBe('all');
    expect(severitiesText(['warning', 'critical'])).toBe('warning, critical');
    expect(trialText({ status: 'delivered', response_status: 204, error: null })).toBe('The test was delivered: 204.');
    expect(trialText({ status: 'delivered', response_status: null, error: null })).toBe('The test was delivered.');
    expect(trialText({ status: 'failed', response_status: 500, error: 'the URL returned 500' })).toBe(
      'The test was not delivered: the URL returned 500.',
    );
  });
});
