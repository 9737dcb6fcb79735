import { matchesAll } from '../../../core/kernel/query/filter-matching.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { type SortValue, sorted } from '../../../core/kernel/query/sort.ts';
import { sortableTime } from '../../../core/kernel/timestamp.ts';
import { type StoredTemplate, type StoredTemplateVersion, templateExists } from '../../../core/prompts/template.ts';
import { LATEST, type StoredLabelMove, type TemplateLabelHolder } from '../../../core/prompts/template-label.ts';
import type { TemplateFilter, TemplateSort, TemplateVersionSort } from '../../../core/prompts/template-query.ts';
import type { FoundVersion, NamedVersion, TemplateChanges, TemplateStore } from '../../../core/prompts/template-store.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Cell, Table } from '../table.ts';
import { sliced } from '../traces/sliced.ts';

type Facts = Omit<StoredTemplate, 'selected' | 'versions'> & { readonly selected_version: number };

export class MemoryTemplateStore implements TemplateStore {
  readonly #database: MemoryDatabase;
  readonly #templates: Table<string, Facts>;
  readonly #projectExists: (id: string) => Promise<boolean>;
  readonly #versions: Cell<readonly StoredTemplateVersion[]>;
  readonly #uses: Table<string, ReadonlySet<string>>;
  readonly #moves: Cell<readonly StoredLabelMove[]>;

  constructor({ database, projectExists }: { database: MemoryDatabase; projectExists: (id: string) => Promise<boolean> }) {
    this.#database = database;
    this.#projectExists = projectExists;
    this.#templates = database.table();
    this.#uses = database.table();
    this.#versions = database.cell([]);
    this.#moves = database.cell([]);
  }

  async insert(template: Omit<StoredTemplate, 'selected' | 'versions'>, first: StoredTemplateVersion): Promise<void> {
    if (this.#templates.has(template.id) || this.#isTaken(template.name)) throw templateExists();
    this.#templates.set(template.id, structuredClone({ ...template, selected_version: first.version }));
    await this.insertVersion(first);
  }

  async find(id: string): Promise<StoredTemplate | undefined> {
    const facts = this.#templates.get(id);
    return facts && this.#stored(facts);
  }

  async hold(id: string): Promise<StoredTemplate | undefined> {
    this.#database.hold();
    return this.find(id);
  }

  async takenNames(names: readonly string[]): Promise<string[]> {
    return names.filter((name) => this.#isTaken(name));
  }

  async list(filters: readonly TemplateFilter[], sort: TemplateSort, slice?: Slice): Promise<StoredTemplate[]> {
    const passing: Facts[] = [];
    for (const facts of this.#templates.values()) if (!facts.hidden && (await this.#passes(facts, filters))) passing.push(facts);
    const getKey = (facts: Facts): SortValue => (sort.name === 'name' ? facts.name : sortableTime(facts[sort.name]));
    return sliced(sorted(passing, sort.ascending, getKey), slice).map((facts) => this.#stored(facts));
  }

  async update(id: string, changes: TemplateChanges): Promise<StoredTemplate | undefined> {
    const before = this.#templates.get(id);
    if (!before) return undefined;
    if (changes.name !== undefined && changes.name !== before.name && this.#isTaken(changes.name)) throw templateExists();
    this.#templates.set(id, { ...before, ...changes });
    return this.find(id);
  }

  async remove(id: string): Promise<boolean> {
    this.#versions.value = this.#versions.value.filter(({ template_id }) => template_id !== id);
    this.#moves.value = this.#moves.value.filter(({ template_id }) => template_id !== id);
    this.#uses.delete(id);
    return this.#templates.delete(id);
  }

  async insertVersion(version: StoredTemplateVersion): Promise<void> {
    this.#versions.value = [...this.#versions.value, structuredClone(version)];
  }

  async findVersion(template_id: string, version: number): Promise<StoredTemplateVersion | undefined> {
    return structuredClone(this.#of(template_id).find((one) => one.version === version));
  }

  async findVersionById(id: string): Promise<StoredTemplateVersion | undefined> {
    return structuredClone(this.#versions.value.find((version) => version.id === id));
  }

  async findNamed(named: readonly NamedVersion[]): Promise<FoundVersion[]> {
    return named.flatMap(({ name, wanted }) => {
      const template = [...this.#templates.values()].find((one) => one.name === name);
      const versions = template ? this.#of(template.id) : [];
      const number = /^\d{1,9}$/.test(wanted)
        ? Number(wanted)
        : wanted === LATEST
          ? Math.max(...versions.map(({ version }) => version))
          : this.#labels(template?.id ?? '').find(({ label }) => label === wanted)?.version;
      const found = versions.find(({ version }) => version === number);
      return found ? [{ name, wanted, id: found.id, template_id: found.template_id, version: found.version }] : [];
    });
  }

  async findNames(ids: readonly string[]): Promise<FoundVersion[]> {
    return this.#versions.value
      .filter(({ id }) => ids.includes(id))
      .map(({ id, version, template_id }) => ({
        id,
        template_id,
        version,
        wanted: String(version),
        name: this.#templates.get(template_id)!.name,
      }));
  }

  async listVersions(template_id: string, sort: TemplateVersionSort, slice: Slice): Promise<StoredTemplateVersion[]> {
    const direction = sort.ascending ? 1 : -1;
    const getKey = ({ version, created_at }: StoredTemplateVersion): SortValue =>
      sort.name === 'version' ? version : sortableTime(created_at);
    const inOrder = this.#of(template_id).toSorted((a, b) => {
      const [left, right] = [getKey(a), getKey(b)];
      return left === right ? b.version - a.version : left < right ? -direction : direction;
    });
    return structuredClone(sliced(inOrder, slice));
  }

  async moveLabel(move: StoredLabelMove): Promise<void> {
    this.#moves.value = [...this.#moves.value, structuredClone(move)];
  }

  async listLabels(template_ids: readonly string[]): Promise<TemplateLabelHolder[]> {
    const held = template_ids.flatMap((id) => this.#labels(id));
    return held.sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : a.template_id < b.template_id ? -1 : 1));
  }

  async findLabel(template_id: string, label: string): Promise<number | undefined> {
    return this.#labels(template_id).find((one) => one.label === label)?.version;
  }

  async listLabelMoves(template_id: string, slice: Slice): Promise<StoredLabelMove[]> {
    const moves = this.#moves.value.filter((move) => move.template_id === template_id).toReversed();
    return structuredClone(sliced(moves, slice));
  }

  async use(template_id: string, project_id: string): Promise<void> {
    this.#uses.set(template_id, new Set([...(this.#uses.get(template_id) ?? []), project_id]));
  }

  async isUsedIn(template_id: string, project_id: string): Promise<boolean> {
    return (this.#uses.get(template_id)?.has(project_id) ?? false) && this.#projectExists(project_id);
  }

  async #passes(facts: Facts, filters: readonly TemplateFilter[]): Promise<boolean> {
    for (const filter of filters) {
      const holds =
        filter.family === 'custom_uuid'
          ? (await this.isUsedIn(facts.id, filter.value)) === (filter.name === 'used_in_project')
          : matchesAll([filter], (name) => (name === 'creator' ? facts.created_by : name === 'id' ? facts.id : facts.name));
      if (!holds) return false;
    }
    return true;
  }

  #of(id: string): StoredTemplateVersion[] {
    return this.#versions.value.filter(({ template_id }) => template_id === id);
  }

  /** The last move of each label says where it is. */
  #labels(id: string): TemplateLabelHolder[] {
    const last = new Map<string, StoredLabelMove>();
    for (const move of this.#moves.value) if (move.template_id === id) last.set(move.label, move);
    return [...last.values()].flatMap(({ template_id, label, to_version }) =>
      to_version === null ? [] : [{ template_id, label, version: to_version }],
    );
  }

  #isTaken(name: string): boolean {
    return [...this.#templates.values()].some((template) => template.name === name);
  }

  #stored({ selected_version, ...facts }: Facts): StoredTemplate {
    const versions = this.#of(facts.id);
    const selected = versions.find(({ version }) => version === selected_version)!;
    const numbers = versions.map(({ version }) => version).sort((a, b) => a - b);
    return structuredClone({ ...facts, selected, versions: numbers });
  }
}
