import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useId } from 'react';
import { CHOSEN_NAMES } from '#contract/importFiles/chosenColumns.ts';
import { findOtherCase } from '#contract/importFiles/doubts.ts';
import type { ChosenUse } from '#contract/importFiles/fileKind.ts';
import { bareName } from '#contract/importFiles/recogniseFile.ts';
import type { Plan, PlannedColumn } from '#contract/importFiles/translateRow.ts';
import { useIdentityField } from '../session/useSession.ts';
import { Notice } from '../ui/Notice.tsx';
import { EndCut, UntrustedText } from '../ui/values/UntrustedText.tsx';
import classes from './Import.module.css';
import { chooseColumn, type ImportState } from './importStore.ts';
import {
  attributeOf,
  findConsents,
  firstValueOf,
  findMappingFault,
  isChoosable,
  nameOf,
  planImport,
} from './mapping.ts';
import type { ExportFile } from './readExport.ts';
import { useAttributeNames } from './useAttributeNames.ts';

const KNOWN = ['email', 'phone', 'first_name', 'last_name', 'company', 'job_title'];

/** The plan of the chosen file, and why it can't be imported like this. */
export function usePlan({ file, source, choices }: ImportState): { plan: Plan; fault: string | null } {
  const identityField = useIdentityField() ?? null;
  const plan: Plan =
    file === null || source === null ? { columns: [], suppressed: null } : planImport(source, file, choices);
  return { plan, fault: findMappingFault(plan, identityField) };
}

/** What each column becomes. */
export function Columns({ state, isFixed }: { state: ImportState; isFixed: boolean }) {
  const { plan, fault } = usePlan(state);
  const known = useId();
  const identityField = useIdentityField();
  const names = useAttributeNames();
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
                <UntrustedText text={headingOf(column, index)} />
              </th>
              <td className="soft">
                <EndCut text={firstValueOf(state.file, index)} />
              </td>
              <td>
                {isChoosable(column) && !isFixed ? (
                  <Choice column={column} index={index} known={known} names={names} />
                ) : (
                  <UntrustedText text={describeTarget(column)} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <datalist id={known}>
        {[...new Set([...KNOWN, ...(identityField ? [identityField] : []), ...names])].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {state.file !== null && <Consents file={state.file} plan={plan} />}
      {fault !== null && <Notice tone="bad" title={fault} />}
    </section>
  );
}

const headingOf = ({ name }: PlannedColumn, index: number) => (name === '' ? `Column ${index + 1}` : name);

function Consents({ file, plan }: { file: ExportFile; plan: Plan }) {
  const consents = findConsents(file, plan);
  if (consents.length === 0) return null;
  return (
    <Notice
      tone="warn"
      title={`${consents.join(', ')}: this doesn’t ${plan.suppressed === null ? 'unsubscribe anyone' : 'choose who is unsubscribed'}`}
    >
      {plan.suppressed === null
        ? 'It becomes an attribute. If it says who gets no mail, choose above what it says: Subscribed or Unsubscribed for yes and no, Unsubscribed on for a date. For other values, choose who is in this file, and keep only them in it.'
        : 'It becomes an attribute. Everyone in this file is unsubscribed: keep only people who get no mail in it.'}
    </Notice>
  );
}

const USES: Readonly<Record<ChosenUse, string>> = {
  subscribed: 'Subscribed',
  unsubscribed: 'Unsubscribed',
  since: 'Unsubscribed on',
  reason: 'Reason',
};

type ChoiceProps = { column: PlannedColumn; index: number; known: string; names: readonly string[] };

function Choice({ column, index, known, names }: ChoiceProps) {
  const { chosen, named } = column;
  const use = named === undefined ? chosen : undefined;
  const attribute = nameOf(column) ?? '';
  const other = named === undefined ? findOtherCase(attribute, names) : null;
  return (
    <div className={classes.choice} data-use={use}>
      <NativeSelect
        size="xs"
        aria-label={`What ${headingOf(column, index)} becomes`}
        value={use ?? 'attribute'}
        data={[
          { value: 'attribute', label: 'Attribute' },
          ...Object.entries(USES).map(([value, label]) => ({ value, label })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          chooseColumn(index, value === 'attribute' ? namedAttribute(column) : { to: value as ChosenUse })
        }
      />
      {use === undefined ? (
        <TextInput
          size="xs"
          aria-label={`Attribute of ${headingOf(column, index)}`}
          placeholder="Left out"
          list={known}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          value={attribute}
          onChange={(event) => chooseColumn(index, event.currentTarget.value === '' ? null : event.currentTarget.value)}
        />
      ) : null}
      {(chosen !== undefined || named !== undefined) && <span className="note">{describeUse(column)}</span>}
      {other !== null && (
        <span className="note">
          The workspace has <UntrustedText text={other} />.{' '}
          <Button size="compact-xs" variant="default" onClick={() => chooseColumn(index, other)}>
            <span>
              Use <UntrustedText text={other} />
            </span>
          </Button>
        </span>
      )}
    </div>
  );
}

/** Undefined for what the source says. */
const namedAttribute = ({ name }: PlannedColumn) => (CHOSEN_NAMES.has(bareName(name)) ? name : undefined);

function describeUse(column: PlannedColumn): string {
  const { chosen, target } = column;
  if (chosen === undefined) return `${describeTarget(column)}.`;
  if (chosen === 'subscribed') return 'A line with no, false or 0 is unsubscribed.';
  if (chosen === 'unsubscribed') return 'A line with yes, true or 1 is unsubscribed.';
  if (typeof target !== 'object' || !('dateOrder' in target)) return 'Other words become “other”.';
  const { dateOrder, unsubscribes } = target;
  const order =
    dateOrder === null ? '' : ` Dates are read as ${dateOrder === 'day' ? 'day, month, year' : 'month, day, year'}.`;
  return `${unsubscribes ? 'A line with a date is unsubscribed.' : 'Says only since when.'}${order}`;
}

function describeTarget(column: PlannedColumn): string {
  const { target } = column;
  const attribute = attributeOf(column);
  if (attribute !== null) return attribute;
  if (column.chosen !== undefined) return USES[column.chosen];
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
