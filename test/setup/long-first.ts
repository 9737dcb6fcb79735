import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long and are short, so that the usual order, largest file first, would leave them to the end, one beside idle workers. */
const LONG = ['test/access/access-matrix-', 'test/postgres/fuzz.test.ts'];

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.some((part) => moduleId.includes(`/${part}`));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
