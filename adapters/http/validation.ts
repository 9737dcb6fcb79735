import type { z } from 'zod';
import type { Issue } from '../../core/kernel/errors.ts';
import { UP_TO_FIRST_ISSUE } from '../../core/kernel/first-issue.ts';
import { holdsMoreThan } from '../../core/kernel/value-size.ts';

const MAX_ISSUES = 100;
const MAX_ECHO = 200;
const SECRET_FIELD = /password|secret|token|api_key|credential/i;

/** An issue costs far more than a byte, and a body has room for millions: of more values than this one issue is told. */
const MAX_EXPLAINED_VALUES = 1_000;

/**
 * Parses one part of a request, up to the first issue. On failure the value is parsed again to collect what each issue saw,
 * and all of them where there cannot be very many: the fast path pays nothing for it.
 */
export function parsePart<T>(schema: z.ZodType<T>, value: unknown, part: string, issues: Issue[]): T | undefined {
  const parsed = schema.safeParse(value, UP_TO_FIRST_ISSUE);
  if (parsed.success) return parsed.data;
  const extent = holdsMoreThan(MAX_EXPLAINED_VALUES, value) ? UP_TO_FIRST_ISSUE : {};
  const explained = schema.safeParse(value, { ...extent, reportInput: true });
  for (const issue of explained.error?.issues ?? parsed.error.issues) {
    if (issues.length >= MAX_ISSUES) break;
    issues.push(toIssue(issue, part));
  }
  return undefined;
}

export function toIssue(issue: z.core.$ZodIssue, part: string): Issue {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  const loc = [part, ...path];
  const missing = issue.code === 'invalid_type' && issue.input === undefined;
  const ctx = toContext(issue);
  return {
    loc,
    msg: missing ? 'field required' : issue.message,
    type: missing ? 'missing' : issue.code,
    ...(missing || isSecret(loc) ? {} : { input: echo(issue.input) }),
    ...(ctx ? { ctx } : {}),
  };
}

function toContext(issue: z.core.$ZodIssue): Record<string, unknown> | undefined {
  const facts = issue as unknown as Record<string, unknown>;
  const ctx: Record<string, unknown> = {};
  for (const name of ['expected', 'minimum', 'maximum', 'format', 'values']) {
    const fact = facts[name];
    if (fact !== undefined) ctx[name] = typeof fact === 'bigint' ? fact.toString() : fact;
  }
  return Object.keys(ctx).length > 0 ? ctx : undefined;
}

const isSecret = (loc: readonly (string | number)[]): boolean => loc.some((step) => SECRET_FIELD.test(String(step)));

/** Shortens a value of the caller's: scalars as they are, texts cut, anything else by its kind; a container may hold a secret. */
function echo(input: unknown): unknown {
  if (typeof input === 'string') return input.length > MAX_ECHO ? `${input.slice(0, MAX_ECHO)}…` : input;
  if (typeof input === 'number' || typeof input === 'boolean' || input === null) return input;
  return Array.isArray(input) ? '[array]' : `[${typeof input}]`;
}

/** Every issue of a value that a schema refused, each with its place below `loc`. */
export function explainIssues(schema: z.ZodType, value: unknown, loc: readonly (string | number)[]): Issue[] {
  const issues: Issue[] = [];
  parsePart(schema, value, '', issues);
  return issues.map((issue) => ({ ...issue, loc: [...loc, ...issue.loc.slice(1)] }));
}
