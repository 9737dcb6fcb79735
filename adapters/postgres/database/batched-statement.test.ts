import { expect, it } from 'vitest';
import { BatchedStatement } from './batched-statement.ts';

/** Doubles numbers; every statement stays under way until `release` is called. */
function doubling() {
  const asked: (readonly number[])[] = [];
  const open: (() => void)[] = [];
  const run = async (questions: readonly number[]) => {
    asked.push(questions);
    await new Promise<void>((settle) => open.push(settle));
    if (questions.includes(13)) throw new Error('unlucky');
    return questions.map((number) => number * 2);
  };
  const release = async () => {
    for (const settle of open.splice(0)) settle();
    await new Promise((settle) => setImmediate(settle));
  };
  return { asked, run, release };
}

it('asks a lone question at once, and what comes meanwhile together', async () => {
  const { asked, run, release } = doubling();
  const statement = new BatchedStatement(run, { maxAtOnce: 3, lanes: 1 });
  const replies = Promise.all([1, 2, 3, 4, 5].map((number) => statement.ask(number)));
  expect(asked).toEqual([[1]]);
  for (let round = 0; round < 3; round += 1) await release();
  expect(await replies).toEqual([2, 4, 6, 8, 10]);
  expect(asked).toEqual([[1], [2, 3, 4], [5]]);
});

it('lets a bad question fail alone', async () => {
  const { run, release } = doubling();
  const statement = new BatchedStatement(run, { maxAtOnce: 10, lanes: 1 });
  const replies = Promise.allSettled([1, 2, 13, 4].map((number) => statement.ask(number)));
  for (let round = 0; round < 6; round += 1) await release();
  expect(await replies).toMatchObject([
    { value: 2 },
    { value: 4 },
    { status: 'rejected', reason: new Error('unlucky') },
    { value: 8 },
  ]);
});
