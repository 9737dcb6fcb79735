import type { Completion, CompletionRequest, ModelProvider } from '../../core/plugin-sdk/index.ts';

/** A provider whose models answer what a test tells them to. */
export class ScriptedModel implements ModelProvider {
  readonly asked: CompletionRequest[] = [];
  /** Outcome of each call, in order; the last stands for all that follow. */
  outcomes: (Completion | Error | 'silence')[];

  constructor(...outcomes: (Completion | Error | 'silence')[]) {
    this.outcomes = outcomes;
  }

  async complete(request: CompletionRequest): Promise<Completion> {
    this.asked.push(request);
    const outcome = this.outcomes.length > 1 ? this.outcomes.shift()! : this.outcomes[0]!;
    if (outcome === 'silence') return new Promise<Completion>(() => {});
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  async models(): Promise<[]> {
    return [];
  }

  async check(): Promise<void> {}
}
