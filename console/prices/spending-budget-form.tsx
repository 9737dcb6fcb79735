import type { Budget, ProjectSpendingBudget, SpendingBudget } from '../../core/models/budgets/spending-budget.ts';
import { get, put } from '../api/client.ts';
import { TextField } from '../kit/field.tsx';
import { costText } from '../kit/formatting.ts';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { SettingsForm } from '../settings/settings-form.tsx';

interface SpendingBudgetFormProps {
  /** Where the budget is: a project's, or everybody's. */
  readonly path: string;
  readonly mayChange: boolean;
}

/** US dollars that calls of models may cost on a day and in a month, and how much of it is spent. */
export function SpendingBudgetForm({ path, mayChange }: SpendingBudgetFormProps) {
  const loaded = useLoaded(path, (signal) => get<SpendingBudget & Partial<ProjectSpendingBudget>>(path, { signal }));
  return (
    <Show loaded={loaded}>
      {({ daily, monthly, spent_today, spent_this_month, is_spent_by_organization = false }) => (
        <SettingsForm
          title="Budget for models"
          mayChange={mayChange}
          onSubmit={async (values) => {
            const budget: Budget = { daily: toDollars(values.get('daily')), monthly: toDollars(values.get('monthly')) };
            await put(path, budget);
            loaded.reload();
          }}
        >
          <TextField label="Daily budget (US dollars)" {...amount('daily', daily)} />
          <TextField label="Monthly budget (US dollars)" {...amount('monthly', monthly)} />
          <p class="form-text">
            Spent today {costText(spent_today)}, this month {costText(spent_this_month)} (UTC). Judges, prompts and the playground
            stop when a budget is spent. Empty: unlimited.
            {is_spent_by_organization && ' The budget of the organization is spent.'}
          </p>
        </SettingsForm>
      )}
    </Show>
  );
}

const amount = (name: string, value: number | null) =>
  ({ name, type: 'number', step: 'any', value: value === null ? '' : String(value) }) as const;

const toDollars = (text: FormDataEntryValue | null): number | null => (text === '' || text === null ? null : Number(text));
