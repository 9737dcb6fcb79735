import { guardedHost } from '../../integrations/guarded-host.ts';
import { stackOf } from '../../kernel/failure.ts';
import { PluginRegistry } from '../../kernel/plugin-registry.ts';
import type { Log } from '../../kernel/ports.ts';
import {
  type CodeInput,
  type CodeLanguage,
  type CodeLanguagePlugin,
  type CodeLimits,
  type CodeOutcome,
  type CodeProgram,
  type DefinitionFile,
  PluginError,
  type PluginHost,
} from '../../plugin-sdk/index.ts';
import type { CodeSandbox, SandboxUse } from '../scoring/code-sandbox.ts';
import { GuardedLanguage } from './guarded-language.ts';

export interface CodeLanguagesDeps {
  readonly plugins: readonly CodeLanguagePlugin[];
  readonly codeSandbox: CodeSandbox;
  readonly pluginHost: PluginHost;
  readonly codeLimits: CodeLimits;
  readonly log: Log;
}

/** The installed languages of code scorers: which one a file is written in, and running it. */
export class CodeLanguages extends PluginRegistry<CodeLanguagePlugin> {
  readonly #deps: CodeLanguagesDeps;
  readonly #byExtension: ReadonlyMap<string, CodeLanguagePlugin>;
  readonly #byType: ReadonlyMap<string, CodeLanguagePlugin>;
  readonly #fallback: CodeLanguagePlugin | undefined;
  readonly #opened = new Map<string, CodeLanguage>();

  /** Throws an Error that names the plugin when it is malformed, or what it claims is taken by another one. */
  constructor(deps: CodeLanguagesDeps) {
    super(deps.plugins);
    this.#deps = deps;
    this.#byExtension = claim(this.list(), 'extension', ({ extensions }) => extensions);
    this.#byType = claim(this.list(), 'media type', ({ content_types = [] }) => content_types);
    const unknown = claim(this.list(), 'place', ({ takes_unknown_files }) => (takes_unknown_files ? ['unknown files'] : []));
    this.#fallback = unknown.values().next().value;
  }

  /**
   * The id of a program's language: the one that is named, else the one that the end of the file's name tells, else its media type, else the
   * one that takes unknown files. Throws a PluginError `unsupported` when there is none.
   */
  select({ filename, content_type = '' }: DefinitionFile, named?: string): string {
    const known = this.list().map(({ id }) => id);
    if (named) {
      if (this.find(named)) return named;
      throw new PluginError(
        'unsupported',
        `the code language "${named.slice(0, 100)}" is not installed; there are ${known.join(', ')}`,
      );
    }
    const [extension = ''] = /\.[a-z0-9][a-z0-9_-]{0,29}$/.exec(filename.toLowerCase()) ?? [];
    const type = content_type.toLowerCase().split(';', 1)[0]!.trim();
    const plugin = this.#byExtension.get(extension) ?? this.#byType.get(type) ?? this.#fallback;
    if (plugin) return plugin.id;
    const ends = [...this.#byExtension.keys()].join(', ');
    throw new PluginError('unsupported', `neither name nor type of the file tells its language; names may end in ${ends}`);
  }

  /** Why the program cannot be run, with the place; undefined when it can. Rejects as `run`. */
  async check({ language, source }: CodeProgram, use: SandboxUse): Promise<string | undefined> {
    const plugin = this.find(language);
    return plugin ? this.#guarded(plugin).check(source, use) : missing(language);
  }

  /**
   * One outcome per record, in order; `refused` for all when the language is not installed. Rejects when the sandbox is broken or the signal
   * is aborted, and with a PluginError when the plugin fails, never because of the program.
   */
  async run({ language, source }: CodeProgram, inputs: readonly CodeInput[], use: SandboxUse): Promise<CodeOutcome[]> {
    const plugin = this.find(language);
    if (!plugin) return inputs.map(() => ({ kind: 'refused', message: missing(language) }));
    return this.#guarded(plugin).run(source, inputs, use);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#opened].map(([id, language]) => this.#close(id, language)));
  }

  async #close(id: string, language: CodeLanguage): Promise<void> {
    try {
      await language.close?.();
    } catch (error) {
      this.#deps.log.warn('a code language did not close', { plugin: id, error: stackOf(error) });
    }
  }

  #guarded(plugin: CodeLanguagePlugin): GuardedLanguage {
    const { codeLimits: limits, codeSandbox: sandbox, log } = this.#deps;
    const { id, extensions } = plugin;
    return new GuardedLanguage({ id, extension: extensions[0], limits, sandbox, log, open: () => this.#open(plugin) });
  }

  #open(plugin: CodeLanguagePlugin): CodeLanguage {
    const opened = this.#opened.get(plugin.id) ?? plugin.create(guardedHost(this.#deps.pluginHost, (text) => text));
    this.#opened.set(plugin.id, opened);
    return opened;
  }
}

const missing = (language: string): string => `the code language "${language.slice(0, 100)}" is not installed`;

function claim(
  plugins: readonly CodeLanguagePlugin[],
  what: string,
  toWords: (plugin: CodeLanguagePlugin) => readonly string[],
): Map<string, CodeLanguagePlugin> {
  const taken = new Map<string, CodeLanguagePlugin>();
  for (const plugin of plugins)
    for (const word of new Set(toWords(plugin))) {
      if (taken.has(word)) throw new Error(`plugin "${plugin.id}": the ${what} "${word}" is taken by another plugin`);
      taken.set(word, plugin);
    }
  return taken;
}
