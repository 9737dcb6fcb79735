import { toHref } from '../kit/location.ts';
import { LEVELS, type Place } from './level.ts';

/** The same log stream by traces, spans or sessions: links, since each has other columns and so starts afresh. */
export const LevelSwitch = ({ place: { project_id, log_stream_id, level } }: { place: Place }) => (
  <nav aria-label="Levels" class="btn-group btn-group-sm">
    {LEVELS.map((one) => (
      <a
        key={one.level}
        class={`btn btn-outline-secondary ${one.level === level ? 'active' : ''}`}
        aria-current={one.level === level ? 'page' : undefined}
        href={toHref(`/projects/${project_id}/log_streams/${log_stream_id}${one.level === 'trace' ? '' : `?level=${one.level}`}`)}
      >
        {one.label}
      </a>
    ))}
  </nav>
);
