import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const sheets = globSync('console/styles/*.css').map((path) => ({ path, css: readFileSync(path, 'utf8') }));
/** Of the root element, where the browser is set to 16 px: 87.5 %. */
const REM_PX = 14;
const SMALLEST_PX = 12;
const PHYSICAL = /^\s*(?:(?:margin|padding|border)-(?:left|right)\b|text-align: (?:left|right)).*$/gm;

const toPx = (amount: string, unit: string): number => Number(amount) * (unit === 'px' ? 1 : REM_PX);

describe('the styles of the console', () => {
  it('have no text under 12 px', () => {
    const sizes = sheets.flatMap(({ path, css }) =>
      [...css.matchAll(/(?:font-size|--ts-font-\w+): ([\d.]+)(rem|em|px);/g)].map(([all, amount, unit]) => ({
        where: `${path}: ${all}`,
        px: toPx(amount!, unit!),
      })),
    );
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.filter(({ px }) => px < SMALLEST_PX).map(({ where }) => where)).toEqual([]);
  });

  it('name sides by the direction of the text, so that they hold from right to left', () => {
    const physical = sheets.flatMap(({ path, css }) => [...css.matchAll(PHYSICAL)].map(([line]) => `${path}: ${line.trim()}`));
    expect(physical).toEqual([]);
  });
});
