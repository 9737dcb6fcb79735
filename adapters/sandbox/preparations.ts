import { pathToFileURL } from 'node:url';
import type { Program } from '../../core/scorers/scoring/code-sandbox.ts';
import type { Reply } from './protocol.ts';
import type { SandboxLanguage } from './sandbox-settings.ts';

type Prepare = (source: string) => unknown;

/** A program as JavaScript in a file of this name, or what it came to without being run. */
export type Prepared = { readonly source: string; readonly file: string } | { readonly failed: Reply };

/** Preparation of programs, by language: turns them into JavaScript. Loaded in the child, where it reads what nobody trusts. */
export class Preparations {
  readonly #languages: ReadonlyMap<string, SandboxLanguage>;
  readonly #prepare: ReadonlyMap<string, Prepare>;
  readonly #broken: ReadonlyMap<string, string>;

  private constructor(
    languages: readonly SandboxLanguage[],
    prepare: ReadonlyMap<string, Prepare>,
    broken: ReadonlyMap<string, string>,
  ) {
    this.#languages = new Map(languages.map((one) => [one.id, one]));
    this.#prepare = prepare;
    this.#broken = broken;
  }

  /** One that cannot be loaded fails its own programs, and no other language's. */
  static async load(languages: readonly SandboxLanguage[]): Promise<Preparations> {
    const prepare = new Map<string, Prepare>();
    const broken = new Map<string, string>();
    for (const { id, preparation } of languages) {
      if (preparation === undefined) continue;
      try {
        const module: { prepare?: unknown } = await import(pathToFileURL(preparation).href);
        if (typeof module.prepare !== 'function') throw new Error('it exports no function called prepare');
        prepare.set(id, module.prepare as Prepare);
      } catch (error) {
        broken.set(id, error instanceof Error ? error.message : String(error));
      }
    }
    return new Preparations(languages, prepare, broken);
  }

  apply({ language, source }: Program): Prepared {
    const known = this.#languages.get(language);
    const file = `scorer${known?.extension ?? ''}`;
    const broken = known ? this.#broken.get(language) : 'the sandbox does not know it';
    if (broken !== undefined) return { failed: refused(`the language ${language} cannot be prepared: ${broken}`, true) };
    const prepare = this.#prepare.get(language);
    if (!prepare) return { source, file };
    try {
      return this.#read(prepare(source), file);
    } catch (error) {
      // The parser itself broke: it may fail on every later source too.
      const name = error instanceof Error ? error.name : typeof error;
      return { failed: refused(`the scorer does not compile: its preparation failed (${name})`, true) };
    }
  }

  #read(prepared: unknown, file: string): Prepared {
    const { source, message, line, column, worn } = Object(prepared) as Record<string, unknown>;
    if (typeof source === 'string') return { source, file };
    if (typeof message !== 'string' || message === '') throw new TypeError('neither a source nor a message');
    const place = Number.isInteger(line) ? ` (${file}:${line}${Number.isInteger(column) ? `:${column}` : ''})` : '';
    return { failed: refused(`the scorer does not compile: ${message.slice(0, 1_000).toWellFormed()}${place}`, worn === true) };
  }
}

const refused = (message: string, worn: boolean): Reply => ({
  kind: 'program',
  outcome: { kind: 'refused', message: message.slice(0, 1_900) },
  worn,
});
