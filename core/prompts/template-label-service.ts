import type { AccessStore } from '../access/access-store.ts';
import type { AuditTrail } from '../access/audit/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { toUserSummary } from '../access/users/user.ts';
import { AppError } from '../kernel/errors.ts';
import type { Clock, Transactions } from '../kernel/ports.ts';
import { type PageFields, type PageRequest, sliceFor, toPage } from '../kernel/query/page.ts';
import { labelledVersion } from './labelled-version.ts';
import {
  type StoredTemplate,
  type TemplateVersion,
  templateEvent,
  templateNotFound,
  templateVersionNotFound,
} from './template.ts';
import { LATEST, MAX_LABELS, type TemplateLabel, type TemplateLabelMove, templateLabelNotFound } from './template-label.ts';
import type { TemplateStore } from './template-store.ts';
import { TemplateViews } from './template-views.ts';

export interface TemplateLabelDeps {
  readonly templateStore: TemplateStore;
  readonly accessStore: AccessStore;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
}

/** Labels that move between the versions of prompt templates, with the history of their moves. */
export class TemplateLabelService {
  readonly #deps: TemplateLabelDeps;
  readonly #views: TemplateViews;

  constructor(deps: TemplateLabelDeps) {
    this.#deps = deps;
    this.#views = new TemplateViews(deps);
  }

  /** The labels of the template by name, without `latest`. */
  async list(caller: Caller, template_id: string): Promise<TemplateLabel[]> {
    await this.#deps.authorizer.authorize(caller, 'template', template_id, 'read');
    const labels = await this.#deps.templateStore.listLabels([template_id]);
    return labels.map(({ label, version }) => ({ label, version }));
  }

  /** The version that has the label. */
  async find(caller: Caller, template_id: string, label: string): Promise<TemplateVersion> {
    const { authorizer, templateStore } = this.#deps;
    await authorizer.authorize(caller, 'template', template_id, 'read');
    const template = await templateStore.find(template_id);
    if (!template) throw templateNotFound(template_id);
    return this.#views.version(await labelledVersion(templateStore, template, label));
  }

  /** Puts the label on a version, wherever it was before. */
  async move(caller: Caller, template_id: string, label: string, version: number): Promise<TemplateLabel[]> {
    return this.#change(caller, template_id, label, (template, labels) => {
      if (!template.versions.includes(version)) throw templateVersionNotFound(version);
      const isNew = !labels.some((one) => one.label === label);
      if (isNew && labels.length >= MAX_LABELS) throw tooManyLabels();
      return version;
    });
  }

  async remove(caller: Caller, template_id: string, label: string): Promise<TemplateLabel[]> {
    return this.#change(caller, template_id, label, (_template, labels) => {
      if (!labels.some((one) => one.label === label)) throw templateLabelNotFound(label);
      return null;
    });
  }

  /** Who moved which label when, newest first. */
  async moves(caller: Caller, template_id: string, wanted: PageRequest): Promise<PageFields & { moves: TemplateLabelMove[] }> {
    const { authorizer, templateStore, accessStore } = this.#deps;
    await authorizer.authorize(caller, 'template', template_id, 'read');
    const { items, page } = toPage(await templateStore.listLabelMoves(template_id, sliceFor(wanted)), wanted);
    const users = await accessStore.listUsers([...new Set(items.map(({ moved_by }) => moved_by))]);
    const byId = new Map(users.map((user) => [user.id, toUserSummary(user)]));
    const moves = items.map(({ template_id: _id, moved_by, ...move }) => ({
      ...move,
      moved_by_user: byId.get(moved_by) ?? null,
    }));
    return { ...page, moves };
  }

  async #change(
    caller: Caller,
    template_id: string,
    label: string,
    decide: (template: StoredTemplate, labels: readonly TemplateLabel[]) => number | null,
  ): Promise<TemplateLabel[]> {
    const { templateStore, authorizer, auditTrail, transactions, clock } = this.#deps;
    await authorizer.authorize(caller, 'template', template_id, 'update');
    if (label === LATEST) throw reserved();
    return transactions.run(async () => {
      const template = await templateStore.hold(template_id);
      if (!template) throw templateNotFound(template_id);
      const labels = await templateStore.listLabels([template_id]);
      const to_version = decide(template, labels);
      const from_version = labels.find((one) => one.label === label)?.version ?? null;
      if (from_version !== to_version) {
        const moved_at = clock().toISOString();
        await templateStore.moveLabel({ template_id, label, from_version, to_version, moved_by: caller.user_id, moved_at });
        await auditTrail.note(caller, templateEvent('move_label', template_id, { label, from_version, to_version }));
      }
      return (await templateStore.listLabels([template_id])).map((one) => ({ label: one.label, version: one.version }));
    });
  }
}

const reserved = (): AppError =>
  new AppError('invalid', 'template_label_reserved', `the label ${LATEST} is on the newest version and cannot be moved`);

const tooManyLabels = (): AppError =>
  new AppError('conflict', 'template_labels_full', `a template has at most ${MAX_LABELS} labels`);
