import type { Fix } from '#contract/domains/dnsCheck.ts';
import { RESPONSIBLE_PARTY_LABELS } from '#contract/domains/responsibleParty.ts';
import { works } from '#contract/domains/recordStatus.ts';
import type { SharedFinding, SharedRecord as Listed } from '#contract/domains/sharedLinks.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { CopyableField } from '../domains/records/CopyableField.tsx';
import { RECORD_STATUS_LABELS } from '../domains/records/recordStatus.ts';
import { localizeMoment } from '../ui/format/sentenceTime.ts';
import { parseTime, useTimeZone } from '../ui/format/time.ts';
import { StatusBadge } from '../ui/values/StatusBadge.tsx';
import classes from './SharedPage.module.css';

type Props = { record: Listed; finding: SharedFinding | undefined };

/** A right record is one line; any other says what to enter. */
export function SharedRecord({ record, finding }: Props) {
  const { type, name } = finding?.fix ?? record;
  const which = escapeInvisible(`${type} ${name}`);
  const { tone, label } =
    finding === undefined ? { tone: 'neutral' as const, label: 'Checking' } : RECORD_STATUS_LABELS[finding.result];
  return (
    <>
      <h2 className={classes.head}>
        <StatusBadge tone={tone}>{label}</StatusBadge>
        <code>{which}</code>
      </h2>
      {finding !== undefined && !(works(finding.result) && finding.fix === null) && (
        <Detail finding={finding} which={which} />
      )}
    </>
  );
}

function Detail({ finding: { found, diagnosis, turn, fix, until }, which }: { finding: SharedFinding; which: string }) {
  const zone = useTimeZone();
  const end = parseTime(until);
  const sentence = escapeInvisible(end === null ? diagnosis : localizeMoment(diagnosis, end, zone));
  return (
    <div className={classes.detail}>
      <p>{sentence}</p>
      {turn !== null && turn !== 'owner' && <p className="soft">Who has to act: {RESPONSIBLE_PARTY_LABELS[turn]}.</p>}
      {fix !== null && <Fields fix={fix} which={which} />}
      {found.length > 0 && (
        <div>
          <h3>In the DNS now</h3>
          {found.map((value, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- one check's values never change places
            <CopyableField key={index} value={value} what="value in the DNS now" which={which} />
          ))}
        </div>
      )}
    </div>
  );
}

function Fields({ fix: { todo, type, host, name, value, priority }, which }: { fix: Fix; which: string }) {
  return (
    <div className={classes.fields}>
      <h3>{escapeInvisible(todo)}</h3>
      <CopyableField label="Type" value={type} what="type" which={which} />
      {host !== null && <CopyableField label="Host" value={host} what="host" which={which} />}
      {host !== name && <CopyableField label="Full name" value={name} what="full name" which={which} />}
      <CopyableField label="Value" value={value} what="value" which={which} />
      {priority !== null && <CopyableField label="Priority" value={String(priority)} what="priority" which={which} />}
    </div>
  );
}
