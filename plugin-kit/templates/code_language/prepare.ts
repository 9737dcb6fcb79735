import type { Prepare } from '../../../core/plugin-sdk/index.ts';

const LINE = /^(\w+) (has|lacks|longer|shorter) (.+)$/;

/** Makes JavaScript of a program, line by line. Loaded by the sandbox alone: it imports nothing. */
export const prepare: Prepare = (source) => {
  const lines = source.trimEnd().split('\n');
  const wrong = lines.findIndex((line) => line.trim() !== '' && !isRight(line));
  if (wrong >= 0) return { message: `"${lines[wrong]?.slice(0, 100)}" is no condition`, line: wrong + 1 };
  const conditions = lines.map((line) => (line.trim() === '' ? 'true' : toJavaScript(line)));
  if (!conditions.some((condition) => condition !== 'true')) return { message: 'there is no condition in it' };
  return { source: `const scorer = (record) => [${conditions.join(',\n')}].every((holds) => holds);` };
};

const isRight = (line = '') => {
  const [, , verb = '', operand = ''] = LINE.exec(line) ?? [];
  return verb !== '' && (/has|lacks/.test(verb) || Number.isInteger(Number(operand)));
};

const toJavaScript = (line = '') => {
  const [, field, verb, operand = ''] = LINE.exec(line) ?? [];
  const text = `String(record[${JSON.stringify(field)}] ?? '')`;
  if (verb === 'longer') return `${text}.length > ${Number(operand)}`;
  if (verb === 'shorter') return `${text}.length < ${Number(operand)}`;
  return `${verb === 'lacks' ? '!' : ''}${text}.includes(${JSON.stringify(operand)})`;
};
