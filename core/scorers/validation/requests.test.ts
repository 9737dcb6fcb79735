import { describe, expect, it } from 'vitest';
import { defineScorerKind, PluginError, type ScorerTrial, z } from '../../plugin-sdk/index.ts';
import { triedIn } from './requests.ts';

const kind = (read: () => never) =>
  defineScorerKind({
    id: 'strange',
    sdk: 1,
    stability: 'stable',
    label: 'Strange',
    summary: 'Fails to read trials.',
    definition: z.strictObject({ size: z.int() }),
    trial: { on: ['samples'], body: z.looseObject({}), read } as unknown as ScorerTrial,
    create: () => ({ score: async () => [] }),
  });

describe('the body of a trial', () => {
  it.each([
    [
      'fails',
      () => {
        throw new TypeError('a defect');
      },
      'the plugin "strange" failed on this body',
    ],
    [
      'refuses it',
      () => {
        throw new PluginError('unsupported', 'no size');
      },
      'no size',
    ],
  ])('is refused, and nothing worse, where the kind %s', (_, read, msg) => {
    expect(() => triedIn(kind(read), {})).toThrow(
      expect.objectContaining({
        kind: 'invalid',
        code: 'request_invalid',
        issues: [{ loc: ['body'], msg, type: 'request_invalid' }],
      }),
    );
  });
});
