import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { filmStrip } from './film-strip.ts';

/** Somebody with a task, whose clicks and inputs are counted: a click, a choice, a key, or a text typed into a field is one. */
export interface CountedPerson {
  click(target: Locator): Promise<void>;
  choose(target: Locator, label: string): Promise<void>;
  type(target: Locator, text: string): Promise<void>;
  press(key: string): Promise<void>;
  /** Ends the task; fails when it took more than its goal. */
  finish(goal: number): Promise<void>;
}

/** `task` names the pictures of what the person does. */
export function countedPerson(page: Page, task: string): CountedPerson {
  const strip = filmStrip(page, task);
  let inputs = 0;
  const counted =
    <A extends unknown[]>(act: (...args: A) => Promise<unknown>) =>
    async (...args: A): Promise<void> => {
      inputs += 1;
      await strip.frame();
      await act(...args);
    };
  return {
    click: counted((target: Locator) => target.click()),
    choose: counted((target: Locator, label: string) => target.selectOption({ label })),
    type: counted((target: Locator, text: string) => target.fill(text)),
    press: counted((key: string) => page.keyboard.press(key)),
    finish: async (goal) => {
      expect(inputs, 'clicks and inputs').toBeLessThanOrEqual(goal);
      await strip.save();
    },
  };
}
