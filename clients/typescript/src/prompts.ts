import type { Places } from './places.ts';
import { type Api, dataOf } from './service.ts';

export interface PromptOptions {
  /** The selected version unless given. */
  readonly version?: number;
  /** The version that a label such as `production` is on. */
  readonly label?: string;
  /** How long a prompt is taken from the cache, in milliseconds. One minute unless given; a version never changes and stays. */
  readonly maxAgeMs?: number;
}

export interface Prompt {
  readonly name: string;
  readonly version: number;
  readonly template: unknown;
}

interface Cached {
  readonly prompt: Promise<Prompt>;
  readonly at: number;
}

/** Prompt templates of the project, kept for a while: a service that is away does not keep an application from its prompts. */
export class Prompts {
  readonly #api: Api;
  readonly #places: Places;
  readonly #cache = new Map<string, Cached>();

  constructor(api: Api, places: Places) {
    this.#api = api;
    this.#places = places;
  }

  async get(name: string, { version, label, maxAgeMs = 60_000 }: PromptOptions = {}): Promise<Prompt> {
    const key = JSON.stringify([name, version, label]);
    const cached = this.#cache.get(key);
    if (cached && (version !== undefined || Date.now() - cached.at < maxAgeMs)) return cached.prompt;
    const fresh = this.#fetch(name, version, label);
    this.#cache.set(key, { prompt: fresh, at: Date.now() });
    try {
      return await fresh;
    } catch (error) {
      // The one from before is better than none.
      if (cached) this.#cache.set(key, cached);
      else this.#cache.delete(key);
      if (cached) return cached.prompt;
      throw error;
    }
  }

  async #fetch(template_name: string, version?: number, label?: string): Promise<Prompt> {
    const project_id = await this.#places.project();
    const query = { template_name, ...(version !== undefined && { version }), ...(label !== undefined && { label }) };
    const params = { path: { project_id }, query };
    const found = await dataOf(this.#api.GET('/v2/projects/{project_id}/templates/versions', { params }));
    return { name: template_name, version: found.version, template: found.template };
  }
}
