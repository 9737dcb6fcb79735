/** Where in the console somebody is, as far as the palette offers what is near. */
export interface PalettePlace {
  readonly project_id: string | undefined;
  readonly log_stream_id: string | undefined;
}

export function parsePlace(path: string): PalettePlace {
  const [, project_id, log_stream_id] = /^\/projects\/([^/?]+)(?:\/log_streams\/([^/?]+))?/.exec(path) ?? [];
  return { project_id, log_stream_id };
}

/** Something that can be gone to. */
export interface Destination {
  readonly group: string;
  readonly label: string;
  readonly path: string;
}

const AREAS: readonly Destination[] = [
  ['Projects', '/'],
  ['Datasets', '/datasets'],
  ['Prompts', '/prompts'],
  ['Scorers', '/scorers'],
  ['Integrations', '/integrations'],
  ['Model prices', '/integrations/prices'],
  ['Users', '/people'],
  ['Groups', '/people/groups'],
  ['API keys', '/people/keys'],
  ['Audit log', '/audit'],
].map(([label, path]) => ({ group: 'Go to', label: label!, path: path! }));

const OF_PROJECT = ['Experiments', 'Playground', 'Annotation', 'Bookmarks', 'Masking', 'Spending', 'Sharing', 'Settings'];
const OF_STREAM = ['Flow', 'Trends', 'Scorers', 'Insights', 'Agreement', 'Settings'];

/** Views that are near: of the log stream, then of the project, then all areas. */
export function listViews({ project_id, log_stream_id }: PalettePlace): readonly Destination[] {
  const project = `/projects/${project_id}`;
  const stream = `${project}/log_streams/${log_stream_id}`;
  const toParts = (group: string, path: string, labels: readonly string[]): Destination[] =>
    labels.map((label) => ({ group, label, path: `${path}/${label.toLowerCase()}` }));
  const ofStream = [
    { group: 'This log stream', label: 'Traces', path: stream },
    { group: 'This log stream', label: 'Spans', path: `${stream}?level=span` },
    { group: 'This log stream', label: 'Sessions', path: `${stream}?level=session` },
    ...toParts('This log stream', stream, OF_STREAM),
    { group: 'This log stream', label: 'Alerts', path: `${stream}/trends/alerts` },
  ];
  const ofProject = [{ group: 'This project', label: 'Home', path: project }, ...toParts('This project', project, OF_PROJECT)];
  return [...(log_stream_id ? ofStream : []), ...(project_id ? ofProject : []), ...AREAS];
}

/** Destinations that have every typed word in them, in any case and order. */
export function listMatches(destinations: readonly Destination[], text: string): readonly Destination[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return destinations.filter(({ group, label }) => words.every((word) => `${group} ${label}`.toLowerCase().includes(word)));
}

/** An id as records have it: nothing else is looked up by its id. */
export const isId = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text.trim());
