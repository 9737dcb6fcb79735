import { z } from 'zod';
import { AppError, type Issue } from '../kernel/errors.ts';
import { cleanText, Id } from '../kernel/text.ts';
import { NewWidget, SectionId, Widget, type WidgetBody, type WidgetUpdate } from './widget.ts';

const MAX_SECTIONS = 50;
const MAX_WIDGETS = 200;

export const TrendsSection = z
  .object({ id: z.string(), name: z.string(), widgets: z.array(Widget) })
  .meta({ id: 'TrendsSection' });
export const TrendsDashboard = z
  .object({ project_id: z.string(), log_stream_id: z.string(), sections: z.array(TrendsSection) })
  .meta({ id: 'TrendsDashboard', description: 'The charts of a log stream, in their order.' });
export type TrendsDashboard = z.output<typeof TrendsDashboard>;

const SectionName = cleanText(1, 100);
export const NewSection = z.object({ name: SectionName, position: z.int().min(0).nullish() }).meta({ id: 'NewTrendsSection' });
export type NewSection = z.output<typeof NewSection>;
export const SectionUpdate = z
  .object({ name: SectionName.nullish(), position: z.int().min(0).nullish() })
  .meta({ id: 'TrendsSectionUpdate' });
export type SectionUpdate = z.output<typeof SectionUpdate>;

/** All sections and all widgets, each once. */
export const DashboardOrder = z
  .object({ sections: z.array(z.object({ id: SectionId, widget_ids: z.array(Id).max(MAX_WIDGETS) })).max(MAX_SECTIONS) })
  .meta({ id: 'TrendsOrder' });
export type DashboardOrder = z.output<typeof DashboardOrder>;

/** A dashboard as a file: it names nothing of the place it came from. */
export const DashboardFile = z
  .object({
    version: z.literal(1),
    sections: z.array(z.object({ name: z.string(), widgets: z.array(Widget.omit({ id: true, section_id: true })) })),
  })
  .meta({ id: 'TrendsFile' });
export type DashboardFile = z.output<typeof DashboardFile>;

export const NewDashboardFile = z
  .object({
    version: z.literal(1),
    sections: z
      .array(z.object({ name: SectionName, widgets: z.array(NewWidget.omit({ section_id: true })).max(MAX_WIDGETS) }))
      .max(MAX_SECTIONS),
  })
  .meta({ id: 'NewTrendsFile' });
export type NewDashboardFile = z.output<typeof NewDashboardFile>;

export interface StoredWidget extends WidgetBody {
  readonly id: string;
}
export interface StoredSection {
  readonly id: string;
  readonly name: string;
  readonly widgets: readonly StoredWidget[];
}
export interface StoredDashboard {
  readonly sections: readonly StoredSection[];
  /** Metrics of scorers that a widget was made for once: whoever removes it does not get it again. */
  readonly known_metrics: readonly string[];
}

export const sectionView = ({ id, name, widgets }: StoredSection) => ({
  id,
  name,
  widgets: widgets.map((widget) => ({ ...widget, section_id: id, dataset: [...widget.dataset] })),
});

export const getWidgets = (dashboard: StoredDashboard): Widget[] =>
  dashboard.sections.flatMap((section) => sectionView(section).widgets);

/** Throws AppError `widget_not_found`. */
export function widgetIn(dashboard: StoredDashboard, id: string): Widget {
  const widget = getWidgets(dashboard).find((one) => one.id === id);
  if (!widget) throw new AppError('not_found', 'widget_not_found', `widget ${id} does not exist`);
  return widget;
}

/** Throws AppError `section_not_found`. */
export function sectionIn({ sections }: StoredDashboard, id: string): StoredSection {
  const section = sections.find((one) => one.id === id);
  if (!section) throw sectionNotFound(id);
  return section;
}

export const sectionNotFound = (id: string): AppError =>
  new AppError('not_found', 'section_not_found', `section ${id} does not exist`);

export function withSection(dashboard: StoredDashboard, section: StoredSection, position?: number | null): StoredDashboard {
  return checked({ ...dashboard, sections: inserted(dashboard.sections, section, position) });
}

export function withSectionChanged(dashboard: StoredDashboard, id: string, { name, position }: SectionUpdate): StoredDashboard {
  const before = sectionIn(dashboard, id);
  const changed = { ...before, name: name ?? before.name };
  const at = position ?? dashboard.sections.indexOf(before);
  return {
    ...dashboard,
    sections: inserted(
      dashboard.sections.filter((one) => one.id !== id),
      changed,
      at,
    ),
  };
}

export function withoutSection(dashboard: StoredDashboard, id: string): StoredDashboard {
  sectionIn(dashboard, id);
  return { ...dashboard, sections: dashboard.sections.filter((one) => one.id !== id) };
}

/** Puts a widget into a section, which is made, named by its id, when it is not there. */
export function withWidget(
  dashboard: StoredDashboard,
  section_id: string,
  widget: StoredWidget,
  position?: number | null,
): StoredDashboard {
  const isThere = dashboard.sections.some(({ id }) => id === section_id);
  const made = { id: section_id, name: [...section_id].slice(0, 100).join(''), widgets: [] };
  const sections = (isThere ? dashboard.sections : [...dashboard.sections, made]).map((section) =>
    section.id === section_id ? { ...section, widgets: inserted(section.widgets, widget, position) } : section,
  );
  return checked({ ...dashboard, sections });
}

export function withWidgetChanged(dashboard: StoredDashboard, id: string, update: WidgetUpdate): StoredDashboard {
  const { section_id: from, ...before } = widgetIn(dashboard, id);
  const { section_id, position, ...changes } = update;
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null && value !== undefined));
  const to = section_id ?? from;
  const place = sectionIn(dashboard, from).widgets.findIndex((one) => one.id === id);
  return withWidget(withoutWidget(dashboard, id), to, { ...before, ...given }, position ?? (to === from ? place : null));
}

export function withoutWidget(dashboard: StoredDashboard, id: string): StoredDashboard {
  widgetIn(dashboard, id);
  const sections = dashboard.sections.map((section) => ({ ...section, widgets: section.widgets.filter((one) => one.id !== id) }));
  return { ...dashboard, sections };
}

/** Throws AppError `order_incomplete` unless the order names every section and every widget once. */
export function ordered(dashboard: StoredDashboard, order: DashboardOrder): StoredDashboard {
  const widgets = new Map(dashboard.sections.flatMap((section) => section.widgets.map((widget) => [widget.id, widget])));
  const sections = new Map(dashboard.sections.map((section) => [section.id, section]));
  const isComplete =
    isSame(
      order.sections.map(({ id }) => id),
      [...sections.keys()],
    ) &&
    isSame(
      order.sections.flatMap(({ widget_ids }) => widget_ids),
      [...widgets.keys()],
    );
  if (!isComplete) throw mismatch('order_incomplete', 'sections', 'has to name every section and every widget once');
  return {
    ...dashboard,
    sections: order.sections.map(({ id, widget_ids }) => {
      return { ...sections.get(id)!, widgets: widget_ids.map((widget_id) => widgets.get(widget_id)!) };
    }),
  };
}

export function getFile({ sections }: StoredDashboard): DashboardFile {
  const written = sections.map(({ name, widgets }) => ({
    name,
    widgets: widgets.map(({ id: _id, ...widget }) => ({ ...widget, dataset: [...widget.dataset] })),
  }));
  return { version: 1, sections: written };
}

/** The sections of a file, behind those that are there or in their place. */
export function withFile(
  dashboard: StoredDashboard,
  file: NewDashboardFile,
  isReplacing: boolean,
  newId: () => string,
): StoredDashboard {
  const sections = file.sections.map(({ name, widgets }) => ({
    id: newId(),
    name,
    widgets: widgets.map((widget) => ({ id: newId(), ...widget })),
  }));
  return checked({ ...dashboard, sections: isReplacing ? sections : [...dashboard.sections, ...sections] });
}

function inserted<T>(list: readonly T[], item: T, position?: number | null): T[] {
  const at = Math.min(position ?? list.length, list.length);
  return [...list.slice(0, at), item, ...list.slice(at)];
}

function isSame(given: readonly string[], wanted: readonly string[]): boolean {
  return given.length === wanted.length && new Set(given).symmetricDifference(new Set(wanted)).size === 0;
}

function checked(dashboard: StoredDashboard): StoredDashboard {
  if (dashboard.sections.length > MAX_SECTIONS)
    throw mismatch('dashboard_full', 'sections', `a dashboard has at most ${MAX_SECTIONS} sections`);
  if (dashboard.sections.reduce((sum, { widgets }) => sum + widgets.length, 0) > MAX_WIDGETS)
    throw mismatch('dashboard_full', 'widgets', `a dashboard has at most ${MAX_WIDGETS} widgets`);
  return dashboard;
}

function mismatch(code: string, field: string, msg: string): AppError {
  const issue: Issue = { loc: ['body', field], msg, type: code };
  return new AppError('invalid', code, msg, { issues: [issue] });
}
