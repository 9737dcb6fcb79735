import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const CONTROL = /<(?:input|textarea|select)\b((?:=>|[^>])*)>/g;
const BEGINS_WITH = /\s(?:value|checked)=/;
const IS_KEPT = /\bon(?:Input|Change)\b|type="hidden"|readonly/i;

/**
 * Preact compares `value` and `checked` with the DOM whenever it draws again: a field that nobody keeps loses what was
 * typed as soon as its page loads anew. Such a field begins with `defaultValue` or `defaultChecked`.
 */
it('no field of the console forgets what was typed when it is drawn again', () => {
  const forgetful = globSync('console/**/*.tsx', { exclude: ['console/dist/**'] }).flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(CONTROL)]
      .filter(([, attributes]) => BEGINS_WITH.test(attributes!) && !IS_KEPT.test(attributes!))
      .map(([control]) => `${path}: ${control}`),
  );
  expect(forgetful).toEqual([]);
});
