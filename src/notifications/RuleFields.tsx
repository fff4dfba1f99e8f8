import { Button, TextInput } from '@mantine/core';
import { INCIDENT_KINDS } from '#contract/domains/domainHistory.ts';
import { SEVERITIES } from '#contract/domains/domainReport.ts';
import { ResponsibleParty } from '#contract/domains/responsibleParty.ts';
import { refocusOnRemoval } from '../ui/page/refocusOnRemoval.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import classes from './Notifications.module.css';
import {
  describeRule,
  EVERY_FAULT,
  findDomainsError,
  KIND_LABELS,
  SEVERITY_LABELS,
  TURN_LABELS,
  type RuleDraft,
  type RulesDraft,
  toRule,
} from './ruleDrafts.ts';

type Props = {
  rules: RulesDraft;
  /** Whether errors are shown: from the first submit on. */
  isChecked: boolean;
  onChange: (rules: RulesDraft) => void;
};

/** What a destination gets. */
export function RuleFields({ rules, isChecked, onChange }: Props) {
  const { incidents } = rules;
  const setRule = (index: number, rule: RuleDraft) => onChange({ ...rules, incidents: incidents.with(index, rule) });
  const removeRule = (index: number) => onChange({ ...rules, incidents: incidents.toSpliced(index, 1) });
  return (
    <fieldset className={classes.group} tabIndex={-1}>
      <legend>What it gets</legend>
      <Check
        label="Faults of domains"
        hint="When one opens, is over, or keeps coming back. Faults with one cause are one message."
        isChecked={incidents.length > 0}
        onChange={(isOn) => onChange({ ...rules, incidents: isOn ? [EVERY_FAULT] : [] })}
      />
      {incidents.map((rule, index) => (
        <RuleFieldset
          // oxlint-disable-next-line react/no-array-index-key -- rules have no ID
          key={index}
          rule={rule}
          isChecked={isChecked}
          onChange={(changed) => setRule(index, changed)}
          onRemove={incidents.length > 1 ? () => removeRule(index) : undefined}
        />
      ))}
      {incidents.length > 0 && (
        <Button
          className={classes.add}
          variant="subtle"
          size="compact-sm"
          onClick={() => onChange({ ...rules, incidents: [...incidents, EVERY_FAULT] })}
        >
          Add a rule for other faults
        </Button>
      )}
      <Check
        label="Changes of contacts"
        hint="Unsubscribed, subscribed again, erased. With IDs and times, without personal data."
        isChecked={rules.contact_changes}
        onChange={(contact_changes) => onChange({ ...rules, contact_changes })}
      />
      <Check
        label="Weekly digest"
        hint="Mondays at 08:00 UTC, unless nothing happened."
        isChecked={rules.digest}
        onChange={(digest) => onChange({ ...rules, digest })}
      />
      <Check
        label="Daily heartbeat"
        hint="Every day at 08:00 UTC, even if nothing happened. If it’s missing, something is wrong."
        isChecked={rules.heartbeat}
        onChange={(heartbeat) => onChange({ ...rules, heartbeat })}
      />
    </fieldset>
  );
}

type RuleProps = {
  rule: RuleDraft;
  isChecked: boolean;
  onChange: (rule: RuleDraft) => void;
  onRemove: (() => void) | undefined;
};

function RuleFieldset({ rule, isChecked, onChange, onRemove }: RuleProps) {
  const error = isChecked ? findDomainsError(rule.domains) : undefined;
  return (
    <details className={classes.rule} open={error !== undefined || undefined}>
      <summary>
        <UntrustedText text={describeRule(toRule(rule))} /> <span className="soft">· choose which</span>
      </summary>
      <p className="note">A fault must meet every condition. Where you choose nothing, all count.</p>
      <TextInput
        label="Domains"
        description="Separate with commas. *.example.com stands for the domains below example.com."
        placeholder="All domains"
        autoComplete="off"
        spellCheck={false}
        value={rule.domains}
        error={error}
        onChange={(event) => onChange({ ...rule, domains: event.currentTarget.value })}
      />
      <Options
        label="Who must act"
        labels={TURN_LABELS}
        options={ResponsibleParty.options}
        chosen={rule.turns}
        onChange={(turns) => onChange({ ...rule, turns })}
      />
      <Options
        label="What is wrong"
        labels={KIND_LABELS}
        options={INCIDENT_KINDS}
        chosen={rule.kinds}
        onChange={(kinds) => onChange({ ...rule, kinds })}
      />
      <Options
        label="What the strictest receiver does"
        labels={SEVERITY_LABELS}
        options={SEVERITIES}
        chosen={rule.severities}
        onChange={(severities) => onChange({ ...rule, severities })}
      />
      {onRemove && (
        <Button
          ref={refocusOnRemoval}
          className={classes.add}
          variant="subtle"
          color="red"
          size="compact-sm"
          onClick={onRemove}
        >
          Remove this rule
        </Button>
      )}
    </details>
  );
}

type OptionsProps<Option extends string> = {
  label: string;
  labels: Readonly<Record<Option, string>>;
  options: readonly Option[];
  chosen: readonly Option[];
  onChange: (chosen: readonly Option[]) => void;
};

function Options<Option extends string>({ label, labels, options, chosen, onChange }: OptionsProps<Option>) {
  return (
    <fieldset className={classes.options}>
      <legend>{label}</legend>
      {options.map((option) => (
        <Check
          key={option}
          label={labels[option]}
          isChecked={chosen.includes(option)}
          onChange={(isOn) => onChange(options.filter((one) => (one === option ? isOn : chosen.includes(one))))}
        />
      ))}
    </fieldset>
  );
}

type CheckProps = { label: string; hint?: string; isChecked: boolean; onChange: (isChecked: boolean) => void };

function Check({ label, hint, isChecked, onChange }: CheckProps) {
  return (
    <label className={classes.check}>
      <input type="checkbox" checked={isChecked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {label}
        {hint !== undefined && <small>{hint}</small>}
      </span>
    </label>
  );
}
