import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Somebody with a task, whose clicks and inputs are counted: a click, a choice, a key, or a text typed into a field is one. */
export interface CountedPerson {
  click(target: Locator): Promise<void>;
  choose(target: Locator, label: string): Promise<void>;
  type(target: Locator, text: string): Promise<void>;
  press(key: string): Promise<void>;
  /** Fails when the task took more than its goal. */
  expectAtMost(goal: number): void;
}

export function countedPerson(page: Page): CountedPerson {
  let inputs = 0;
  const counted =
    <A extends unknown[]>(act: (...args: A) => Promise<unknown>) =>
    async (...args: A): Promise<void> => {
      inputs += 1;
      await act(...args);
    };
  return {
    click: counted((target: Locator) => target.click()),
    choose: counted((target: Locator, label: string) => target.selectOption({ label })),
    type: counted((target: Locator, text: string) => target.fill(text)),
    press: counted((key: string) => page.keyboard.press(key)),
    expectAtMost: (goal) => expect(inputs, 'clicks and inputs').toBeLessThanOrEqual(goal),
  };
}
