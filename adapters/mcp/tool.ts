import type { z } from 'zod';
import type { Caller } from '../../core/access/caller.ts';

/** One tool of the Model Context Protocol: a use case of the core, with the rights of the caller and a bounded reply. */
export interface Tool {
  /** lower_snake_case, a verb first. */
  readonly name: string;
  readonly title: string;
  /** Description for the model that calls it: when to use it, and what comes back. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** True: it makes or changes something. */
  readonly writes: boolean;
  /** Returns data that JSON can hold. Throws AppError. */
  call(caller: Caller, input: unknown): Promise<unknown>;
}

interface ToolSpec<I extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: I;
  readonly writes?: boolean;
  call(caller: Caller, input: z.output<I>): Promise<unknown>;
}

/** Gives a tool the type of its own input. */
export const tool = <I extends z.ZodObject>({ writes = false, ...spec }: ToolSpec<I>): Tool => ({
  ...spec,
  writes,
  call: (caller, input) => spec.call(caller, input as z.output<I>),
});
