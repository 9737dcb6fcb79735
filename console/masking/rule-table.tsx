import type { MaskingRule } from '../../core/masking/masking-rule.ts';
import { Check } from '../kit/check.tsx';
import { ConfirmButton } from '../kit/confirm.tsx';
import { numberText } from '../kit/formatting.ts';
import { Empty, Failure } from '../kit/notices.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { useAction } from '../kit/use-action.ts';
import { KINDS } from './kinds.ts';

interface RuleTableProps {
  readonly rules: readonly MaskingRule[];
  readonly counts: ReadonlyMap<string, number> | undefined;
  /** How many days are counted. */
  readonly days: number;
  /** Undefined for who may not change the rules. */
  readonly onSave: ((rules: readonly MaskingRule[]) => Promise<void>) | undefined;
}

/** The rules in the order in which they are applied. */
export function RuleTable({ rules, counts, days, onSave }: RuleTableProps) {
  const save = useAction(async (changed: readonly MaskingRule[]) => onSave?.(changed));
  if (rules.length === 0)
    return (
      <Empty title="No masking rules yet">
        <p class="mb-0">Add a preset, for e-mail addresses say, or a pattern of your own.</p>
      </Empty>
    );
  return (
    <>
      <Failure error={save.error} />
      <Table class="table table-hover table-rows">
        <TableHeaders of={['Rule', 'Finds', 'Replaced by', { end: `Masked in ${days} days` }, 'Status']} actions />
        <tbody>
          {rules.map((rule, at) => (
            <tr key={rule.name}>
              <td dir="auto">{rule.name}</td>
              <td>
                {KINDS[rule.kind].label} {rule.pattern && <code>{rule.pattern}</code>} {rule.keys?.join(', ')}
              </td>
              <td>
                <code>{rule.replacement ?? KINDS[rule.kind].replacement}</code>
              </td>
              <td class="text-end">{counts ? numberText(counts.get(rule.name) ?? 0) : '…'}</td>
              <td>
                {onSave ? (
                  <Check
                    isSwitch
                    class="mb-0"
                    label="Enabled"
                    checked={rule.is_enabled}
                    disabled={save.busy}
                    onCheck={(is_enabled) => void save.run(rules.with(at, { ...rule, is_enabled }))}
                  />
                ) : rule.is_enabled ? (
                  'Enabled'
                ) : (
                  'Disabled'
                )}
              </td>
              <td class="text-end">
                {onSave && (
                  <ConfirmButton
                    label="Remove"
                    quiet
                    question={`What “${rule.name}” finds will be stored as it is sent.`}
                    onConfirm={() => onSave(rules.toSpliced(at, 1))}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}
