import {
  defineScorerKind,
  type ScoreOutcome,
  type ScoreRequest,
  type Scorer,
  type ScorerKit,
  z,
} from '../../core/plugin-sdk/index.ts';
import type { ScorerKindCase } from '../../plugin-kit/scorer-kind/scorer-kind-checks.ts';
import { sampleKind } from '../../plugin-kit/templates/scorer_kind/index.ts';
import { sampleKindKit } from '../../plugin-kit/templates/scorer_kind/kit.ts';

export type Definition = z.output<typeof sampleKind.definition>;
export type KindCase = ScorerKindCase<z.ZodType>;
type Head = Partial<Parameters<typeof defineScorerKind<typeof sampleKind.definition>>[0]>;

/** The sample with other parts of its plugin object. */
export const withHead = (head: Head): KindCase =>
  withPlugin(
    defineScorerKind({ ...sampleKind, ...head } as Parameters<typeof defineScorerKind<typeof sampleKind.definition>>[0]),
  );

/** The sample with an object in place of its plugin that the SDK did not make. */
export const withPlugin = (plugin: object): KindCase => ({ ...sampleKindKit, plugin }) as unknown as KindCase;

/** The sample with another way to score. */
export const withScore = (
  score: (made: Scorer, request: ScoreRequest, definition: Definition, kit: ScorerKit) => Promise<unknown>,
): KindCase =>
  withHead({
    create: (kit, definition) => {
      const made = sampleKind.create(kit, definition);
      return { score: (request) => score(made, request, definition, kit) as Promise<ScoreOutcome[]> };
    },
  });

/** The sample with each of its outcomes changed. */
export const withOutcome = (change: (outcome: ScoreOutcome) => unknown): KindCase =>
  withScore(async (made, request) => (await made.score(request)).map(change));

const Asking = z.strictObject({ question: z.string().min(1) });

/** A kind that asks a model, with a way to do so. */
export const askingKind = (ask: (kit: ScorerKit, request: ScoreRequest) => Promise<unknown>): KindCase => ({
  plugin: defineScorerKind({
    id: 'asking',
    sdk: 1,
    stability: 'experimental',
    label: 'Asking',
    summary: 'Asks a model.',
    definition: Asking,
    create: (kit: ScorerKit) => ({
      async score(request: ScoreRequest) {
        request.signal.throwIfAborted();
        return Promise.all(request.items.map(async () => (await ask(kit, request)) as ScoreOutcome));
      },
    }),
  } as Parameters<typeof defineScorerKind>[0]),
  definition: { question: 'Is it good?' },
  reply: '0.5',
  records: ['{"output":"Yes."}'],
  expected: [{ status: 'success', value: 0.5 }],
});

const Program = z.strictObject({ source: z.string().min(1) });

/** A kind that runs code, with a way to do so. */
export const runningKind = (score: (kit: ScorerKit, request: ScoreRequest) => Promise<unknown>): KindCase => ({
  plugin: defineScorerKind({
    id: 'running',
    sdk: 1,
    stability: 'experimental',
    label: 'Running',
    summary: 'Runs code.',
    definition: Program,
    create: (kit: ScorerKit) => ({ score: (request: ScoreRequest) => score(kit, request) as Promise<ScoreOutcome[]> }),
  } as Parameters<typeof defineScorerKind>[0]),
  definition: { source: 'return 1' },
  codeOutcomes: [{ kind: 'returned', value: 1 }],
  records: ['{"output":"Yes."}'],
  expected: [{ status: 'success', value: 1 }],
});
