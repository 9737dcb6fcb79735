import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tolerant } from './tolerant.ts';

const Inner = z.strictObject({ name: z.string(), size: z.int().default(3) });

describe('a schema made tolerant', () => {
  it('takes null for an optional field as if it were absent', () => {
    const schema = tolerant(z.object({ a: z.string().optional(), b: z.string() }));
    expect(schema.parse({ a: null, b: 'x' })).toStrictEqual({ b: 'x' });
    expect(schema.safeParse({ b: null }).success).toBe(false);
  });

  it('takes null for a field with a default as the default, which nobody shares', () => {
    const schema = tolerant(z.object({ list: z.array(z.string()).default([]) }));
    const first = schema.parse({ list: null });
    first.list.push('mine');
    expect(schema.parse({ list: null })).toStrictEqual({ list: [] });
  });

  it('leaves null to a schema that says itself what it means', () => {
    const schema = z.object({
      a: z.string().nullish(),
      b: z
        .string()
        .nullish()
        .transform((given) => given ?? 'none'),
    });
    expect(tolerant(schema)).toBe(schema);
    expect(tolerant(schema).parse({ a: null, b: null })).toStrictEqual({ a: null, b: 'none' });
  });

  it('leaves unknown fields out, and keeps those that a schema wants to keep', () => {
    expect(tolerant(Inner).parse({ name: 'x', other: 1 })).toStrictEqual({ name: 'x', size: 3 });
    const map = z.object({ a: z.string() }).catchall(z.string());
    expect(tolerant(map).parse({ a: 'x', other: 'y' })).toStrictEqual({ a: 'x', other: 'y' });
  });

  it.each<[string, z.ZodType, (inner: unknown) => unknown]>([
    ['a field', z.object({ inner: Inner }), (inner) => ({ inner })],
    ['a list', z.array(Inner), (inner) => [inner]],
    ['a map', z.record(z.string(), Inner), (inner) => ({ key: inner })],
    ['a tuple', z.tuple([Inner]), (inner) => [inner]],
    ['a union', z.union([z.string(), Inner]), (inner) => inner],
    ['a union told apart by a field', z.discriminatedUnion('name', [Inner.extend({ name: z.literal('x') })]), (inner) => inner],
    ['an optional', z.object({ inner: Inner.nullish() }), (inner) => ({ inner })],
    ['a pipe', z.preprocess((given) => given, Inner), (inner) => inner],
    ['an intersection', z.intersection(Inner, z.object({ name: z.string() })), (inner) => inner],
  ])('is tolerant inside of %s', (_, schema, around) => {
    expect(schema.safeParse(around({ name: 'x', size: null })).success).toBe(false);
    expect(tolerant(schema).parse(around({ name: 'x', size: null, other: 1 }))).toStrictEqual(around({ name: 'x', size: 3 }));
  });

  it('is tolerant at every depth of a schema that contains itself', () => {
    type Tree = { readonly below: readonly Tree[]; readonly note?: string | undefined };
    const Tree: z.ZodType<Tree> = z.strictObject({ below: z.array(z.lazy(() => Tree)), note: z.string().optional() });
    const deep = { below: [{ below: [{ below: [], note: null, other: 1 }] }] };
    expect(tolerant(Tree).parse(deep)).toStrictEqual({ below: [{ below: [{ below: [] }] }] });
  });

  it('keeps checks, with the places of what they find', () => {
    const schema = tolerant(
      z.object({ list: z.array(Inner).max(1) }).refine(({ list }) => list[0]?.name !== 'bad', { path: ['list', 0, 'name'] }),
    );
    const issues = (given: unknown) => schema.safeParse(given).error?.issues.map(({ path }) => path.join('.'));
    expect(issues({ list: [{ name: 'bad' }] })).toEqual(['list.0.name']);
    expect(issues({ list: [{ name: 'a' }, { name: 'b' }] })).toEqual(['list']);
    expect(issues({ list: [{ name: 1, size: 'x' }] })).toEqual(['list.0.name', 'list.0.size']);
  });

  it('keeps the name under which a document lists it', () => {
    const printed = z.toJSONSchema(tolerant(z.object({ inner: Inner.meta({ id: 'ToleratedInner' }) })), { io: 'input' });
    expect(printed.$defs).toMatchObject({ ToleratedInner: { required: ['name'] } });
  });
});
