import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import { NewWidget, Widget, WidgetUpdate } from '../../../core/trends/widget.ts';
import { DashboardQuery, WidgetData, WidgetQuery } from '../../../core/trends/widget-query.ts';
import type { WidgetService } from '../../../core/trends/widget-service.ts';
import { type Route, route } from '../route.ts';
import { LogStreamPath, TRENDS } from './trends-paths.ts';

const WIDGETS = `${TRENDS}/widgets`;
const WIDGET = `${WIDGETS}/{widget_id}`;
const WidgetPath = LogStreamPath.extend({ widget_id: Id });
const tag = 'trends';

const queries = ({ widgetService }: { widgetService: WidgetService }): Route[] => [
  route({
    method: 'post',
    path: `${WIDGETS}/query`,
    operationId: 'queryWidgets',
    summary: 'What all widgets of the dashboard show, or some of them, in one answer.',
    tag,
    sharesPath: true,
    params: LogStreamPath,
    body: DashboardQuery,
    response: z.object({ widgets: z.array(WidgetData) }),
    bulk: true,
    handle: ({ caller, params, body }) => widgetService.queryWidgets(caller, params, body),
  }),
  route({
    method: 'post',
    path: `${WIDGET}/query`,
    operationId: 'queryWidget',
    summary: 'What a widget shows.',
    tag,
    params: WidgetPath,
    body: WidgetQuery,
    response: WidgetData,
    bulk: true,
    handle: ({ caller, params: { widget_id, ...key }, body }) => widgetService.queryWidget(caller, key, widget_id, body),
  }),
];

export const widgetRoutes = ({ widgetService }: { widgetService: WidgetService }): Route[] => [
  route({
    method: 'post',
    path: WIDGETS,
    operationId: 'createWidget',
    summary: 'Add a widget to the trends dashboard; a section that is not there yet is made.',
    tag,
    params: LogStreamPath,
    body: NewWidget,
    response: Widget,
    handle: ({ caller, params, body }) => widgetService.createWidget(caller, params, body),
  }),
  route({
    method: 'get',
    path: WIDGETS,
    operationId: 'listWidgets',
    summary: 'List the widgets of the dashboard in their order.',
    tag,
    params: LogStreamPath,
    response: z.object({ widgets: z.array(Widget) }),
    handle: ({ caller, params }) => widgetService.listWidgets(caller, params),
  }),
  ...queries({ widgetService }),
  route({
    method: 'get',
    path: WIDGET,
    operationId: 'getWidget',
    summary: 'Get a widget.',
    tag,
    params: WidgetPath,
    response: Widget,
    handle: ({ caller, params: { widget_id, ...key } }) => widgetService.getWidget(caller, key, widget_id),
  }),
  route({
    method: 'patch',
    path: WIDGET,
    operationId: 'updateWidget',
    summary: 'Change a widget, or move it.',
    tag,
    params: WidgetPath,
    body: WidgetUpdate,
    response: Widget,
    handle: ({ caller, params: { widget_id, ...key }, body }) => widgetService.updateWidget(caller, key, widget_id, body),
  }),
  route({
    method: 'delete',
    path: WIDGET,
    operationId: 'deleteWidget',
    summary: 'Remove a widget.',
    tag,
    params: WidgetPath,
    status: 204,
    response: z.void(),
    handle: ({ caller, params: { widget_id, ...key } }) => widgetService.deleteWidget(caller, key, widget_id),
  }),
];
