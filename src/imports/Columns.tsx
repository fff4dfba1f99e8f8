import { TextInput } from '@mantine/core';
import { useId } from 'react';
import type { Plan, PlannedColumn } from '#contract/importFiles/translateRow.ts';
import { useIdentityField } from '../session/useSession.ts';
import { Notice } from '../ui/Notice.tsx';
import { EndCut, UntrustedText } from '../ui/values/UntrustedText.tsx';
import classes from './Import.module.css';
import { chooseAttribute, type ImportState } from './importStore.ts';
import { attributeOf, findConsents, firstValueOf, findMappingFault, isChoosable, planImport } from './mapping.ts';

const KNOWN = ['email', 'phone', 'first_name', 'last_name', 'company', 'job_title'];

/** The plan of the chosen file, and why it can't be imported like this. */
export function usePlan({ file, source, choices }: ImportState): { plan: Plan; fault: string | null } {
  const identityField = useIdentityField() ?? null;
  const plan: Plan =
    file === null || source === null ? { columns: [], suppressed: null } : planImport(source, file.header, choices);
  return { plan, fault: findMappingFault(plan, identityField) };
}

/** What each column becomes. */
export function Columns({ state, isFixed }: { state: ImportState; isFixed: boolean }) {
  const { plan, fault } = usePlan(state);
  const known = useId();
  const identityField = useIdentityField();
  const consents = findConsents(plan);
  return (
    <section className={classes.part} aria-label="Columns">
      <table className={classes.columns} aria-label="Columns of the file">
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">First value</th>
            <th scope="col">Becomes</th>
          </tr>
        </thead>
        <tbody>
          {Array.from(plan.columns.entries(), ([index, column]) => (
            <tr key={index}>
              <th scope="row">
                <UntrustedText text={column.name === '' ? `Column ${index + 1}` : column.name} />
              </th>
              <td className="soft">
                <EndCut text={firstValueOf(state.file, index)} />
              </td>
              <td>
                {isChoosable(column) && !isFixed ? (
                  <AttributeField column={column} index={index} known={known} />
                ) : (
                  <UntrustedText text={describeTarget(column)} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <datalist id={known}>
        {[...KNOWN, ...(identityField ? [identityField] : [])].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {consents.length > 0 && (
        <Notice
          tone="warn"
          title={`${consents.join(', ')}: this doesn’t ${plan.suppressed === null ? 'unsubscribe anyone' : 'choose who is unsubscribed'}`}
        >
          {plan.suppressed === null
            ? 'It becomes an attribute. To unsubscribe people, choose above who is in this file, and keep only them in it.'
            : 'It becomes an attribute. Everyone in this file is unsubscribed: keep only people who get no mail in it.'}
        </Notice>
      )}
      {fault !== null && <Notice tone="bad" title={fault} />}
    </section>
  );
}

type FieldProps = { column: PlannedColumn; index: number; known: string };

function AttributeField({ column, index, known }: FieldProps) {
  return (
    <TextInput
      size="xs"
      aria-label={`Attribute of ${column.name === '' ? `Column ${index + 1}` : column.name}`}
      placeholder="Left out"
      list={known}
      maxLength={100}
      autoComplete="off"
      spellCheck={false}
      value={attributeOf(column) ?? ''}
      onChange={(event) => chooseAttribute(index, event.currentTarget.value === '' ? null : event.currentTarget.value)}
    />
  );
}

function describeTarget(column: PlannedColumn): string {
  const { target } = column;
  const attribute = attributeOf(column);
  if (attribute !== null) return attribute;
  if (target === 'nowhere') return 'Left out';
  if (target === 'uuid') return 'UUID';
  if (target === 'attributes') return 'All attributes';
  if (target === 'updated_at') return 'When the contact was changed';
  if (target === 'created_at') return 'When the contact was created';
  if (target === 'since') return 'Day of the unsubscribe';
  if (typeof target === 'object' && 'subscribed' in target) return 'Who is unsubscribed';
  if (typeof target === 'object' && 'filled' in target) return `Unsubscribes where filled, and ${target.keptAs}`;
  if (typeof target === 'object' && 'reason' in target)
    return target.keptAs === undefined
      ? 'Reason of the unsubscribe'
      : `Reason of the unsubscribe, and ${target.keptAs}`;
  return 'Checked, not stored';
}
