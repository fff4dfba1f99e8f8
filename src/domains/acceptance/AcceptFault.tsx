import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { REASON_MAX } from '#contract/change.ts';
import { ACCEPTED_DAYS_MAX, acceptFault, endAcceptance, getDomainReport } from '#contract/domains/domainHistory.ts';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import { readAgain } from '../../api/apiQuery.ts';
import { request } from '../../api/client.ts';
import { ConfirmDialog, FormDialog } from '../../api/FormDialog.tsx';
import { useMissingRole } from '../../session/useMissingRole.ts';
import { useCapability } from '../../session/useSession.ts';
import { announce } from '../../ui/page/announce.ts';
import { findTextError, useForm } from '../../ui/useForm.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import type { ReadVerdict } from '../check/latestCheck.ts';
import { describeCode } from '../records/describeCode.ts';
import classes from './AcceptFault.module.css';
import { dayAfter, endOfDay } from './acceptanceEnd.ts';

type Props = { domain: ReadableDomain; verdict: ReadVerdict; title: string };

/** Takes a fault that somebody knows about out of the count, until a day. */
export function AcceptFault(props: Props) {
  const canAccept = useCapability(acceptFault);
  const deniedReason = useMissingRole(acceptFault);
  const [isAsking, setAsking] = useState(false);
  if (!canAccept || deniedReason !== null) return null;
  return (
    <>
      <button type="button" className={classes.action} aria-haspopup="dialog" onClick={() => setAsking(true)}>
        Accept this fault…
      </button>
      {isAsking && <AcceptDialog {...props} onClose={() => setAsking(false)} />}
    </>
  );
}

type Fields = { reason: string; until: string };

/** Days from today, as proposed. */
const PROPOSED = 30;
const LATEST = ACCEPTED_DAYS_MAX - 1;

function AcceptDialog({ domain, verdict: { subject, code }, title, onClose }: Props & { onClose: () => void }) {
  const client = useQueryClient();
  const [today] = useState(() => new Date());
  const { field, submit } = useForm<Fields>({ reason: '', until: dayAfter(today, PROPOSED) }, (entered) =>
    findErrors(entered, dayAfter(today, 0), dayAfter(today, LATEST)),
  );
  const accept = useMutation({
    mutationFn: ({ reason, until }: Fields) => {
      const end = endOfDay(until)?.toISOString() ?? '';
      return request(acceptFault, { domain: domain.uuid, body: { subject, code, reason: reason.trim(), until: end } });
    },
    onSuccess: async () => {
      await readAgain(client, getDomainReport);
      announce('Accepted');
      onClose();
    },
  });
  return (
    <FormDialog
      title="Accept this fault?"
      act="Accept"
      call={accept}
      onSubmit={() => submit((entered) => accept.mutate(entered))}
      onClose={onClose}
    >
      <p>
        <strong>{title}</strong>: {describeCode(code)}. It no longer counts as needing a fix, and no message is sent
        about it. This ends by itself when something else is found, or when the fault is fixed.
      </p>
      <TextInput
        label="Reason"
        description="Shown to everyone, and recorded in the log."
        required
        {...field('reason')}
      />
      <TextInput
        label="Until the end of"
        type="date"
        required
        min={dayAfter(today, 0)}
        max={dayAfter(today, LATEST)}
        {...field('until')}
      />
    </FormDialog>
  );
}

/** Days as `<input type="date">` has them compare as texts. */
const findErrors = ({ reason, until }: Fields, today: string, latest: string) => ({
  reason: findTextError(reason, REASON_MAX, 'Enter a reason. Others will ask.'),
  until: findDayError(until, today, latest),
});

function findDayError(day: string, today: string, latest: string): string | undefined {
  if (endOfDay(day) === null) return 'Enter a day.';
  if (day < today) return 'This day is over. Enter a later one.';
  return day > latest ? 'A fault can be accepted for a year at most.' : undefined;
}

type EndProps = { acceptance: NonNullable<ReadVerdict['accepted']>; title: string };

export function EndAcceptance(props: EndProps) {
  const canEnd = useCapability(endAcceptance);
  const deniedReason = useMissingRole(endAcceptance);
  const [isAsking, setAsking] = useState(false);
  if (!canEnd || deniedReason !== null) return null;
  return (
    <>
      <button type="button" className={classes.action} aria-haspopup="dialog" onClick={() => setAsking(true)}>
        Stop accepting…
      </button>
      {isAsking && <EndDialog {...props} onClose={() => setAsking(false)} />}
    </>
  );
}

function EndDialog({ acceptance: { uuid, reason }, title, onClose }: EndProps & { onClose: () => void }) {
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => request(endAcceptance, { acceptance: uuid }),
    onSuccess: async () => {
      await readAgain(client, getDomainReport);
      announce('No longer accepted');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Stop accepting this fault?"
      act="Stop accepting"
      call={end}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <p>
        <strong>{title}</strong> counts as needing a fix again. It was accepted because: <UntrustedText text={reason} />
      </p>
    </ConfirmDialog>
  );
}
