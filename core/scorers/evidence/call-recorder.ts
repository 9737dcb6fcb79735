import type { Clock } from '../../kernel/ports.ts';
import type { JudgeCall, JudgeCompletion, JudgeFile, JudgeMessage, JudgeModel, ScorerKit } from '../../plugin-sdk/index.ts';
import type { JudgeCallFile, JudgeCallView } from './judge-call.ts';

/** Of the texts of the calls that are kept with one score, in UTF-16 units. */
const MAX_CHARACTERS = 1_000_000;
/** Calls that are kept with one score: a jury of many that has to be asked again and again. */
const MAX_CALLS = 100;

/** Notes which questions a scorer puts to models while it scores a batch, by the items that they are about. */
export class CallRecorder {
  readonly #clock: Clock;
  readonly #byItem = new Map<number, { characters: number; readonly calls: JudgeCallView[] }>();
  readonly #items: number;
  /** As the host described them. */
  readonly #files = new Map<string, JudgeFile>();

  constructor(clock: Clock, items: number) {
    this.#clock = clock;
    this.#items = items;
  }

  /** The same services, with every question noted. */
  recording(kit: ScorerKit): ScorerKit {
    return {
      ...kit,
      model: async (alias, choice) => this.#recorded(await kit.model(alias, choice), alias),
      files: async (ids) => {
        const files = await kit.files(ids);
        for (const file of files) this.#files.set(file.id, file);
        return files;
      },
    };
  }

  /** In the order in which they were answered; none for an item that no question named. */
  callsOf(item: number): readonly JudgeCallView[] {
    return this.#byItem.get(item)?.calls ?? [];
  }

  #recorded(model: JudgeModel, alias: string): JudgeModel {
    return {
      ...(model.files && { files: model.files }),
      ask: async (call) => {
        const asked_at = this.#clock().toISOString();
        try {
          const completion = await model.ask(call);
          this.#note(call, { asked_at, model_alias: alias, ...toAnswer(completion) });
          return completion;
        } catch (error) {
          // A call that an abort cut off is no part of any score.
          if (!call.signal.aborted) this.#note(call, { asked_at, model_alias: alias, ...toFailure(error) });
          throw error;
        }
      },
    };
  }

  /** A question that names no item is about the only one, if there is only one. */
  #note(call: JudgeCall, said: Said): void {
    const item = call.item ?? (this.#items === 1 ? 0 : undefined);
    if (item === undefined) return;
    const kept = this.#byItem.get(item) ?? { characters: 0, calls: [] };
    this.#byItem.set(item, kept);
    if (kept.calls.length >= MAX_CALLS) return;
    const view = toView(call, said, this.#files);
    kept.characters += countCharacters(view);
    kept.calls.push(kept.characters > MAX_CHARACTERS ? withoutTexts(view) : view);
  }
}

type Said = Pick<JudgeCallView, 'asked_at' | 'model_alias'> & ReturnType<typeof toAnswer | typeof toFailure>;

const toAnswer = ({ text, finish_reason, usage, model, price, cached, left_out = [] }: JudgeCompletion) => ({
  ...(left_out.length > 0 && { left_out: [...left_out] as string[] }),
  model: model as string | null,
  answer: text as string | null,
  finish_reason: finish_reason as string | null,
  failure: null as string | null,
  input_tokens: usage.input_tokens ?? null,
  output_tokens: usage.output_tokens ?? null,
  cost: price,
  cached,
});

const toFailure = (error: unknown): ReturnType<typeof toAnswer> => ({
  model: null,
  answer: null,
  finish_reason: null,
  failure: error instanceof Error ? error.message : String(error),
  input_tokens: null,
  output_tokens: null,
  cost: null,
  cached: false,
});

const toView = (
  { judge, system, messages, schema, max_tokens, temperature, seed }: JudgeCall,
  said: Said,
  files: ReadonlyMap<string, JudgeFile>,
): JudgeCallView => ({
  judge,
  ...said,
  system: system ?? null,
  messages: messages.map((message) => toSeenMessage(message, files)),
  schema: schema ?? null,
  max_tokens: max_tokens ?? null,
  temperature: temperature ?? null,
  seed: seed ?? null,
  is_cut: false,
});

function toSeenMessage({ role, content, file_ids = [] }: JudgeMessage, files: ReadonlyMap<string, JudgeFile>) {
  const sent = file_ids.flatMap((file_id): JudgeCallFile[] => {
    const file = files.get(file_id);
    return file ? [{ file_id, media_type: file.media_type, size_bytes: file.size_bytes, sha256: file.sha256 }] : [];
  });
  return { role, content, ...(sent.length > 0 && { files: sent }) };
}

const countCharacters = ({ system, messages, answer }: JudgeCallView): number =>
  (system?.length ?? 0) + (answer?.length ?? 0) + messages.reduce((sum, { content }) => sum + content.length, 0);

const withoutTexts = (view: JudgeCallView): JudgeCallView => ({
  ...view,
  system: null,
  messages: [],
  answer: null,
  is_cut: true,
});
