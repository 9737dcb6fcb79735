import { describe, expect, it } from 'vitest';
import { explainFailure } from './database-failure.ts';

const failure = (code: string, message = 'refused'): Error => Object.assign(new Error(message), { code });

describe('a failure of the database', () => {
  it.each(['57P01', '53300', '08006', 'ECONNREFUSED'])('with code %s asks to come back later', (code) => {
    expect(explainFailure(failure(code))).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 });
  });

  it.each(['22021', '22P05', '54000', '08P01'])('with code %s is the fault of a value', (code) => {
    expect(explainFailure(failure(code))).toMatchObject({ kind: 'invalid', code: 'value_unstorable' });
  });

  it('says of a statement that took too long that less may be asked for, not that the database is away', () => {
    expect(explainFailure(failure('57014'))).toMatchObject({
      kind: 'unavailable',
      code: 'statement_timeout',
      retryAfterSeconds: 10,
    });
  });

  it('is found under the error of a library', () => {
    expect(explainFailure(new Error('query failed', { cause: failure('57P01') }))).toMatchObject({ kind: 'unavailable' });
  });

  it('of any other kind stays a fault of ours', () => {
    expect(explainFailure(failure('42703'))).toBeUndefined();
    expect(explainFailure(new TypeError('x is not a function'))).toBeUndefined();
  });
});
