import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { PageFields } from '../../core/kernel/query/page.ts';
import type { AlertTransition } from '../../core/trends/alert.ts';
import type { WebhookDelivery } from '../../core/trends/webhook.ts';
import { get } from '../api/client.ts';
import { Show } from '../kit/notices.tsx';
import { Pager } from '../kit/pager.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { Time } from '../kit/time.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { StateBadge } from './alert-state.tsx';
import { watchedText } from './alerts.ts';
import type { Figure } from './figures.ts';

const LIMIT = 20;

interface HistoryProps<T> {
  readonly title: string;
  readonly none: string;
  readonly heads: readonly string[];
  /** Where the API has the list. */
  readonly path: string;
  /** Grows when there is news. */
  readonly turn: number;
  readonly toRows: (page: T) => readonly { readonly id: string; readonly cells: readonly ComponentChildren[] }[];
}

function History<T extends PageFields>({ title, none, heads, path, turn, toRows }: HistoryProps<T>) {
  const [starting_token, setFrom] = useState(0);
  const loaded = useLoaded(`${path} ${starting_token} ${turn}`, (signal) =>
    get<T>(path, { query: { starting_token, limit: LIMIT }, signal }),
  );
  return (
    <section class="mt-4" aria-label={title}>
      <h3 class="h6">{title}</h3>
      <Show loaded={loaded}>
        {(page) => {
          const rows = toRows(page);
          if (rows.length === 0) return <p class="text-body-secondary">{none}</p>;
          return (
            <>
              <Table class="table table-rows">
                <TableHeaders of={heads} />
                <tbody>
                  {rows.map(({ id, cells }) => (
                    <tr key={id}>
                      {cells.map((cell, index) => (
                        <td key={heads[index]}>{cell}</td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </Table>
              <Pager page={page} onTurn={setFrom} />
            </>
          );
        }}
      </Show>
    </section>
  );
}

interface OfAlert {
  /** Of the alert. */
  readonly path: string;
  readonly turn: number;
}

export const Transitions = ({ path, turn, figure }: OfAlert & { figure: Figure | undefined }) => (
  <History<PageFields & { transitions: AlertTransition[] }>
    title="Changes of state"
    none="It has been as it is since it was made."
    heads={['At', 'From', 'To', 'Figure']}
    path={`${path}/transitions`}
    turn={turn}
    toRows={({ transitions }) =>
      transitions.map(({ id, at, from, to, value }) => ({
        id,
        cells: [
          <Time key="at" at={at} />,
          <StateBadge key="from" state={from} />,
          <StateBadge key="to" state={to} />,
          watchedText(figure, value),
        ],
      }))
    }
  />
);

export const Deliveries = ({ path, turn }: OfAlert) => (
  <History<PageFields & { deliveries: WebhookDelivery[] }>
    title="Notifications sent"
    none="Nothing was sent yet."
    heads={['Created', 'Event', 'Route', 'Status', 'Tries', 'Answer', 'Next try']}
    path={`${path}/deliveries`}
    turn={turn}
    toRows={({ deliveries }) =>
      deliveries.map(({ id, created_at, event, route_name, status, attempts, response_status, error, next_attempt_at }) => ({
        id,
        cells: [
          <Time key="at" at={created_at} />,
          event.type,
          route_name ?? '–',
          status,
          attempts,
          [response_status, error].filter((one) => one !== null).join(' · ') || '–',
          <Time key="next" at={next_attempt_at} />,
        ],
      }))
    }
  />
);
