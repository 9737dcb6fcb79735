import { randomUUID } from 'node:crypto';
import type { Facts, IntegrationRow, Row } from '../row.ts';
import { collaboratorRows } from './collaborator-rows.ts';

const onIntegration = (row: Omit<IntegrationRow, 'on'>): IntegrationRow => ({ on: 'integration', ...row });

/** By a name, only what was shared with somebody is found: that administrators own everything gives them none. */
function byName(usual: number, { caller, relation }: Facts): number {
  return caller.role === 'admin' && ['foreign', 'pending in a group'].includes(relation) ? 404 : usual;
}

/** Status of a choice, which holds for the whole of its user. */
function choosing(usual: number, { caller }: Facts): number {
  return usual === 200 && (caller.key_project !== null || caller.key_role !== null) ? 403 : usual;
}

/** The operation of one provider stands for those of all: they are made alike, of their plugins. */
export const INTEGRATIONS: readonly Row[] = [
  {
    operation: 'putQuietIntegration',
    on: 'organization',
    allowed: ['admin', 'manager', 'user'],
    query: () => ({ name: `new ${randomUUID()}` }),
    body: () => ({ token: 'a-token' }),
  },
  { operation: 'listAvailableIntegrations', on: 'everyone' },
  { operation: 'listNotificationChannels', on: 'everyone' },
  { operation: 'listOtelDialects', on: 'everyone' },
  onIntegration({
    operation: 'listIntegrations',
    needs: 'viewer',
    shows: (integrations, { integration_id }) => integrations.some(({ id }: { id: string }) => id === integration_id),
  }),
  onIntegration({ operation: 'getIntegration', needs: 'viewer', deviates: byName }),
  onIntegration({ operation: 'getIntegrationStatus', needs: 'viewer', deviates: byName }),
  onIntegration({ operation: 'deleteIntegration', needs: 'owner', deviates: byName }),
  onIntegration({ operation: 'updateIntegration', needs: 'editor', body: () => ({ is_disabled: true }) }),
  onIntegration({ operation: 'selectIntegration', needs: 'viewer', deviates: choosing }),
  ...collaboratorRows('Integration', 'integration'),
  { operation: 'listLlmIntegrations', on: 'everyone' },
  {
    operation: 'listRunLlmIntegrations',
    on: 'project',
    needs: 'viewer',
    path: { run_id: 'log_stream_id' },
    mixed: { log_stream_id: 404 },
  },
  onIntegration({ operation: 'listModels', needs: 'viewer', path: { llm_integration: 'name' }, deviates: byName }),
  onIntegration({ operation: 'listScorerModels', needs: 'viewer', path: { llm_integration: 'name' }, deviates: byName }),
];
