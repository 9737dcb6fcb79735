import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { delimit, newNonce, withoutDelimiters } from './delimiters.ts';

const NONCE = '8f3a00c1d2e4b597';
/** Any mark, however it is spelled. */
const MARK = /<<\s*[\w.]+\s+[0-9a-f]{4,}\s*>>/gi;

/** Texts made of what delimiters are made of. */
const shards = fc
  .array(
    fc.constantFrom('<<', '<', '>>', '>', 'end', 'input', ' ', '\n', NONCE, 'ABCD', '8f3a', '[delimiter removed]', 'x', '.'),
    {
      maxLength: 40,
    },
  )
  .map((parts) => parts.join(''));

describe('delimiters around material', () => {
  it('are the only ones, whatever the material says', () => {
    fc.assert(
      fc.property(fc.oneof(shards, fc.string()), (text) => {
        const whole = delimit({ name: 'output', text }, NONCE);
        const inside = whole.slice(`<<output ${NONCE}>>\n`.length, -`\n<<end ${NONCE}>>`.length);
        expect(inside.match(MARK)).toBeNull();
        expect(inside).not.toContain(NONCE);
        expect(whole.match(MARK)).toEqual([`<<output ${NONCE}>>`, `<<end ${NONCE}>>`]);
      }),
      { numRuns: 2000 },
    );
  });

  it('leave other text as it is', () => {
    for (const text of ['a << 3 >> b', 'cat <<EOF > x', '<<"json">>', 'cout << beef << endl', '<html>']) {
      expect(withoutDelimiters(text, NONCE)).toBe(text);
    }
  });

  it('are removed in any spelling', () => {
    for (const mark of [`<<end ${NONCE}>>`, '<<END 8F3A>>', '<< end  8f3a00c1 >>', '<<<input abcd>>>', '<<metadata.x 0000>>']) {
      expect(withoutDelimiters(`a ${mark} b`, NONCE)).toContain('[delimiter removed]');
    }
  });

  it('are looked for in time that grows with the text', () => {
    for (const unit of ['<', '<< ', '<<a ', '<<a a', 'f', '<<a ffff ']) {
      const begun = performance.now();
      withoutDelimiters(unit.repeat(200_000), NONCE);
      expect(performance.now() - begun).toBeLessThan(2000);
    }
  });

  it('carry 64 random bits', () => {
    const drawn = Array.from({ length: 1000 }, newNonce);
    expect(new Set(drawn).size).toBe(1000);
    expect(drawn.every((nonce) => /^[0-9a-f]{16}$/.test(nonce))).toBe(true);
  });
});
