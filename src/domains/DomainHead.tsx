import { checkDomain } from '#contract/domains/dnsCheck.ts';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { CopyButton } from '../ui/values/CopyButton.tsx';
import { DateTime } from '../ui/values/DateTime.tsx';
import { Fact } from '../ui/values/Fact.tsx';
import { Nothing } from '../ui/values/Nothing.tsx';
import { EndCut, UntrustedText } from '../ui/values/UntrustedText.tsx';
import type { ReadReport } from './check/latestCheck.ts';
import type { LiveCheck } from './check/liveCheck.ts';
import { CheckBar } from './check/CheckBar.tsx';
import classes from './DomainHead.module.css';
import { SendNote } from './note/SendNote.tsx';
import type { PageState } from './pageState.ts';
import type { Item } from './records/items.ts';
import { StateBadge } from './StateBadge.tsx';

type Props = {
  domain: ReadableDomain;
  state: PageState;
  items: readonly Item[];
  /** The latest one, by anybody. */
  check: LiveCheck | undefined;
  report: ReadReport | undefined;
  canCheck: boolean;
};

/** The answer: the one state of the domain, since when it's known, and what to do. */
export function DomainHead({ domain, state: { tone, label, rest }, items, check, report, canCheck }: Props) {
  return (
    <section className={classes.head} aria-label="State of the domain">
      <p className={classes.state} data-tone={tone}>
        <strong className="state-icon" data-tone={tone}>
          {label}
        </strong>
        {rest !== '' && `: ${rest}`}
      </p>
      <div className={classes.line}>
        <span className={classes.provider}>
          Status <StateBadge word={domain.verification} />
          {domain.status !== domain.verification && <StateBadge word={domain.status} />}
        </span>
        {canCheck && <CheckBar domain={domain} check={check} report={report} />}
        <SendNote domain={domain} items={items} check={check} />
      </div>
    </section>
  );
}

/** What is rarely asked for. */
export function DomainFacts({ domain, canCheck }: { domain: ReadableDomain; canCheck: boolean }) {
  const { provider, mail_from_domain: mailFrom, mail_from_verified: isMailFromVerified } = domain;
  return (
    <div className={classes.foot}>
      <dl className={classes.facts} aria-label="Facts">
        <Fact label="Provider">
          <EndCut text={provider} />
        </Fact>
        <Fact label="MAIL FROM">
          {mailFrom ? <UntrustedText text={mailFrom} /> : <Nothing />}
          {mailFrom && isMailFromVerified !== null && (isMailFromVerified ? ', verified' : ', not verified')}
        </Fact>
        <Fact label="Created">
          <DateTime value={domain.created_at} />
        </Fact>
        <Fact label="Updated">
          <DateTime value={domain.updated_at} />
        </Fact>
        <Fact label="ID">
          <UntrustedText className="mono" text={domain.uuid} /> <CopyButton value={domain.uuid} what="domain ID" />
        </Fact>
      </dl>
      {canCheck && <CopyCurl endpoint={checkDomain} input={{ domain: domain.uuid }} />}
    </div>
  );
}
