import type { ServiceClient } from '../../commands/service-client.ts';
import type { ImportTally } from '../import-report.ts';
import type { NumberedPrompt } from '../prompt-versions.ts';
import { toLabel } from './prompt-labels.ts';

interface Template {
  readonly id: string;
  readonly name: string;
  readonly all_available_versions: readonly number[];
}

const MAX_MESSAGE = 1_000;
const MAX_NAME = 255;

/** Makes the versions of one prompt that the project has not, under their own numbers, and puts its labels where they were. */
export async function sendPrompt(
  client: ServiceClient,
  project_id: string,
  versions: readonly NumberedPrompt[],
  tally: ImportTally,
): Promise<void> {
  const name = versions[0]!.name.slice(0, MAX_NAME);
  const templates = await client.call<Template[]>('GET', `/v2/projects/${project_id}/templates`);
  let template = templates.find((one) => one.name === name);
  const there = new Set(template?.all_available_versions);
  for (const version of versions) {
    if (there.has(version.version)) {
      tally.thereBefore('prompt_versions', 1);
      continue;
    }
    if (template !== undefined && version.version < Math.max(...there)) {
      tally.refused('an older version than the newest that is there', `version ${version.version} of prompt ${name}`);
      continue;
    }
    const json = toVersion(version);
    if (template !== undefined) await client.open('POST', `/v2/templates/${template.id}/versions`, { json });
    else {
      template = await client.call<Template>('POST', `/v2/projects/${project_id}/templates`, { json: { name, ...json } });
      tally.arrived('prompts');
    }
    there.add(version.version);
    tally.arrived('prompt_versions');
  }
  if (template !== undefined) await putLabels(client, template.id, versions, tally);
}

const toVersion = ({ version, content, settings, message }: NumberedPrompt): object => ({
  template: content,
  version,
  settings,
  ...(message && { commit_message: message.slice(0, MAX_MESSAGE) }),
});

/** A label that is on another version here stays where it is: somebody moved it since. */
async function putLabels(
  client: ServiceClient,
  id: string,
  versions: readonly NumberedPrompt[],
  tally: ImportTally,
): Promise<void> {
  const there = await client.call<{ label: string; version: number }[]>('GET', `/v2/templates/${id}/labels`);
  const taken = new Map(there.map(({ label, version }) => [label, version]));
  for (const { version, labels } of versions)
    for (const given of labels) {
      const label = toLabel(given);
      if (label === undefined) {
        if (given !== 'latest') tally.leftOut(`label ${given}`);
      } else if (taken.has(label)) tally.thereBefore('labels', 1);
      else {
        await client.open('PUT', `/v2/templates/${id}/labels/${label}`, { json: { version } });
        taken.set(label, version);
        tally.arrived('labels');
      }
    }
}
