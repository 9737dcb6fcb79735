import type { JsonObject } from '../kernel/json.ts';
import type { Clock } from '../kernel/ports.ts';
import type { LogRecord } from '../traces/record.ts';
import type { FoundVersion, TemplateStore } from './template-store.ts';

/** A name, or a label, may come to mean another version: what was found is believed for so long. */
const BELIEVED_MS = 5_000;
const MAX_BELIEVED = 1_000;

interface Believed {
  readonly found: FoundVersion;
  readonly until: number;
}

export interface PromptLinksDeps {
  readonly templateStore: Pick<TemplateStore, 'findNamed' | 'findNames' | 'use'>;
  readonly clock: Clock;
}

/** Links calls of models that name a prompt to the version that they were made with. */
export class PromptLinks {
  readonly #deps: PromptLinksDeps;
  readonly #believed = new Map<string, Believed>();
  /** Templates and projects, of which it is noted already. */
  readonly #used = new Set<string>();

  constructor(deps: PromptLinksDeps) {
    this.#deps = deps;
  }

  /**
   * The same records; those that name a version that there is have its id, its number and the name of its template. A record that names none that there is keeps what it
   * says. Versions are looked up once for all records. The project is noted as one that uses the templates.
   */
  async link(project_id: string, records: readonly LogRecord[]): Promise<LogRecord[]> {
    const read = records.map(readPrompt);
    const wanted = new Map<string, Wanted>();
    for (const one of read) if (one) wanted.set(keyOf(one), one);
    const found = await this.#find([...wanted.values()]);
    for (const { template_id } of found.values()) await this.#use(template_id, project_id);
    return records.map((record, at) => {
      const prompt = read[at];
      return prompt ? { ...record, attributes: toAttributes(record, found.get(keyOf(prompt))) } : record;
    });
  }

  async #find(wanted: readonly Wanted[]): Promise<Map<string, FoundVersion>> {
    const now = this.#deps.clock().getTime();
    const found = new Map<string, FoundVersion>();
    const open: Wanted[] = [];
    for (const one of wanted) {
      const believed = this.#believed.get(keyOf(one));
      if (believed && believed.until > now) found.set(keyOf(one), believed.found);
      else open.push(one);
    }
    const [ids, named] = [open.filter((one) => 'id' in one), open.filter((one) => 'name' in one)];
    const { templateStore } = this.#deps;
    const byId = ids.length > 0 ? await templateStore.findNames(ids.map(({ id }) => id)) : [];
    const byName = named.length > 0 ? await templateStore.findNamed(named) : [];
    for (const one of byId) this.#believe(keyOf({ id: one.id }), one, now, found);
    for (const one of byName) this.#believe(keyOf(one), one, now, found);
    return found;
  }

  async #use(template_id: string, project_id: string): Promise<void> {
    const key = `${template_id} ${project_id}`;
    if (this.#used.has(key)) return;
    await this.#deps.templateStore.use(template_id, project_id);
    if (this.#used.size >= MAX_BELIEVED) this.#used.clear();
    this.#used.add(key);
  }

  #believe(key: string, version: FoundVersion, now: number, found: Map<string, FoundVersion>): void {
    found.set(key, version);
    if (this.#believed.size >= MAX_BELIEVED) this.#believed.clear();
    this.#believed.set(key, { found: version, until: now + BELIEVED_MS });
  }
}

type Wanted = { readonly id: string } | { readonly name: string; readonly wanted: string };

const keyOf = (wanted: Wanted): string => ('name' in wanted ? JSON.stringify([wanted.name, wanted.wanted]) : wanted.id);

/** Whether a record may be linked, by a look at its attributes. */
export const namesPrompt = ({ attributes: { prompt_version, prompt_version_id } }: LogRecord): boolean =>
  prompt_version !== undefined || prompt_version_id !== undefined;

/** An id goes before a name. */
function readPrompt({ attributes }: LogRecord): Wanted | undefined {
  const { prompt_name: name, prompt_version: wanted, prompt_version_id: id } = attributes;
  if (typeof id === 'string') return { id: id.toLowerCase() };
  if (typeof name !== 'string' || wanted === undefined || wanted === null) return undefined;
  return { name, wanted: String(wanted) };
}

/** A number that was sent stays as text, found or not. */
function toAttributes({ attributes }: LogRecord, found: FoundVersion | undefined): JsonObject {
  if (found)
    return { ...attributes, prompt_name: found.name, prompt_version: String(found.version), prompt_version_id: found.id };
  const { prompt_version } = attributes;
  return typeof prompt_version === 'number' ? { ...attributes, prompt_version: String(prompt_version) } : attributes;
}
