import { describe, expect, it } from 'vitest';
import {
  type CodeOutcome,
  type ScoreOutcome,
  type ScorerKindPlugin,
  type ScorerKit,
  SDK_VERSION,
  z,
} from '../../core/plugin-sdk/index.ts';

export interface ScorerKindCase<D extends z.ZodType> {
  readonly plugin: ScorerKindPlugin<D>;
  /** A definition that its schema accepts. */
  readonly definition: z.input<D>;
  /** What the host's sandbox is to answer, one per record; for kinds that run code. */
  readonly codeOutcomes?: readonly CodeOutcome[];
  /** The records to score, and what is expected of each. */
  readonly records: readonly string[];
  readonly expected: readonly ScoreOutcome[];
}

/** What every scorer-kind plugin has to hold; a plugin's own test calls it in one line. */
export function scorerKindKit<D extends z.ZodType>({
  plugin,
  definition,
  codeOutcomes = [],
  records,
  expected,
}: ScorerKindCase<D>): void {
  describe(`scorer kind ${plugin.id}`, () => {
    const calls: string[] = [];
    const kit: ScorerKit = {
      fetch: async () => {
        calls.push('fetch');
        throw new TypeError('no network in the kit');
      },
      clock: () => new Date('2026-01-01T00:00:00Z'),
      log: () => {},
      model: async (alias) => {
        calls.push(`model ${alias}`);
        throw new Error('the kit lends no model');
      },
      runCode: async (_program, given) => {
        calls.push(`runCode ${given.length}`);
        return [...codeOutcomes];
      },
    };
    const create = () => plugin.create(kit, plugin.definition.parse(definition));

    it('has a well-formed head and is frozen', () => {
      expect(plugin.id).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
      expect(plugin.sdk).toBe(SDK_VERSION);
      expect(['experimental', 'stable', 'deprecated']).toContain(plugin.stability);
      expect(plugin.summary).toMatch(/^[A-Z].*\.$/);
      expect(Object.isFrozen(plugin)).toBe(true);
    });

    it('has a definition that prints as JSON Schema', () => {
      expect(z.toJSONSchema(plugin.definition, { io: 'input' })).toMatchObject({ type: 'object' });
    });

    it('refuses an empty definition', () => {
      expect(plugin.definition.safeParse({}).success).toBe(false);
    });

    it('does nothing when it is created', () => {
      calls.length = 0;
      create();
      expect(calls).toEqual([]);
    });

    it('gives one outcome per record, in order', async () => {
      const outcomes = await create().score({
        items: records.map((record) => ({ record })),
        signal: new AbortController().signal,
      });
      expect(outcomes).toEqual(expected);
    });
  });
}
