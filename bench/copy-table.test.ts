import { expect, it } from 'vitest';
import { copyLine } from './copy-table.ts';

it('writes a line as COPY reads it', () => {
  expect(copyLine(['a', null, 'tab\t', 'line\nfeed\r', 'back\\slash', ''])).toBe(
    'a\t\\N\ttab\\t\tline\\nfeed\\r\tback\\\\slash\t\n',
  );
});
