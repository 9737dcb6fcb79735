import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { counted } from '../../../test/setup/counted.ts';
import { KeptTexts } from './repeated-texts.ts';

const QUESTION = `What does the contract say about "termination", and what's due then?\n${'All of it. '.repeat(20)}`;
const ANSWER = `It ends on 31 December. ${'Nothing is due. '.repeat(10)}`;
const texts = new KeptTexts({
  input: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: QUESTION },
  ],
  output: { role: 'assistant', content: ANSWER, tool_calls: [{ function: { arguments: JSON.stringify({ text: ANSWER }) } }] },
  model: 'gpt-4o',
});

const SAME_QUESTION = '[same as input[1].content]';
const SAME_ANSWER = '[same as output.content]';
const python = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
const escaped = (text: string) =>
  JSON.stringify(text).replace(/[^ -~]|W/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('texts that are kept already', () => {
  it.each([
    ['as the whole value', QUESTION, SAME_QUESTION],
    ['as a text of JSON', JSON.stringify({ q: QUESTION, a: [ANSWER] }), JSON.stringify({ q: SAME_QUESTION, a: [SAME_ANSWER] })],
    ['with every other letter escaped', `[${escaped(QUESTION)}]`, JSON.stringify([SAME_QUESTION])],
    [
      'in JSON inside of JSON',
      JSON.stringify({ body: JSON.stringify([{ content: QUESTION, n: 1 }]) }),
      JSON.stringify({ body: JSON.stringify([{ content: SAME_QUESTION, n: 1 }]) }),
    ],
    ['in the notation of Python', `Message(text=${python(QUESTION)}, n=None)`, `Message(text='${SAME_QUESTION}', n=None)`],
    [
      'in the notation of Python inside of JSON',
      JSON.stringify({ messages: [`Message(text=${python(QUESTION)})`] }),
      JSON.stringify({ messages: [`Message(text='${SAME_QUESTION}')`] }),
    ],
    ['after an apostrophe', `it's {"q": ${JSON.stringify(QUESTION)}}`, `it's {"q": "${SAME_QUESTION}"}`],
  ])('are named %s', (_where, text, expected) => {
    expect(texts.withoutRepeats(text)).toBe(expected);
  });

  it('are named as media where they are the content of a data URL', () => {
    const content = 'iVBORw0KGgo'.repeat(10);
    const part = { type: 'blob', modality: 'image', mime_type: 'image/png', content };
    const pictures = new KeptTexts({ input: [{ role: 'user', content: [{ type: 'text', text: 'Look' }, part] }] });
    const url = JSON.stringify({ url: `data:image/png;base64,${content}` });
    expect(pictures.withoutRepeats(url)).toBe('{"url":"[same as input[0].content[1]]"}');
  });

  it.each([
    ['short ones', JSON.stringify({ system: 'Be brief.', more: 'x'.repeat(200) })],
    ['parts of others', JSON.stringify([`${QUESTION}?`, QUESTION.slice(1), 'x'.repeat(100)])],
    ['numbers and spaces', `{ "seed": 12345678901234567890,  "temperature": 1.0, "text": ${JSON.stringify('y'.repeat(100))} }`],
    ['texts that nobody closes', `${'z'.repeat(100)} "${QUESTION}`],
  ])('leave %s as they came', (_what, text) => {
    expect(texts.withoutRepeats(text)).toBe(text);
  });

  it('leave everything around them letter for letter', () => {
    const around = (text: string) => `{ "seed":12345678901234567890, "q" : ${JSON.stringify(text)},\n"t":1.0}`;
    expect(texts.withoutRepeats(around(QUESTION))).toBe(around(SAME_QUESTION));
  });

  it('are all that changes in any JSON', () => {
    const leaf = fc.oneof(
      fc.constantFrom(QUESTION, ANSWER),
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.constant('\\"'.repeat(40)),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('tree')), fc.dictionary(fc.string(), tie('tree'))),
    }));
    const named = (value: unknown): unknown => {
      if (value === QUESTION) return SAME_QUESTION;
      if (value === ANSWER) return SAME_ANSWER;
      if (Array.isArray(value)) return value.map(named);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, named(member)]));
    };
    fc.assert(
      fc.property(tree, (value) => {
        const text = JSON.stringify([value, 'w'.repeat(64)]);
        expect(JSON.parse(texts.withoutRepeats(text))).toEqual(named(JSON.parse(text)));
      }),
    );
  });

  it('are not looked for where nothing is long', () => {
    const { value, reads } = counted({ input: [{ role: 'user', content: QUESTION }] });
    new KeptTexts(value).withoutRepeats('short');
    expect(reads()).toBe(0);
  });
});
