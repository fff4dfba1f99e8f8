import type { Bounce } from '#contract/receivers/bounces/readBounce.ts';
import type { Blame } from '#contract/receivers/bounces/reasons.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { localDate } from '../../ui/format/time.ts';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import classes from './Bounce.module.css';
import { RecordsAtTime } from './RecordsAtTime.tsx';

const BLAME_LABELS: Record<Blame, string> = {
  dkim: 'DKIM',
  spf: 'SPF',
  dmarc: 'DMARC',
  mail_from: 'MX of MAIL FROM',
  alignment: 'Alignment',
  soa: 'SOA',
  from_host: 'MX or address of the domain',
  ptr: 'Reverse DNS of the sending address',
};

type Props = { bounce: Bounce; sender: string | null; at: string | null };

export function BounceResult({ bounce, sender, at }: Props) {
  const { text, code, enhanced, isPermanent, rules, blames, source, sentences } = bounce;
  const codes = [code, enhanced].filter((one) => one !== null).join(' ');
  const kind = isPermanent === null ? '' : isPermanent ? ', permanent' : ', temporary: it’s retried';
  return (
    <section className={classes.result} aria-label={`Bounce ${codes}`}>
      <h3 className={classes.answer}>{sentences.customer}</h3>
      <p className="soft">
        {codes}
        {kind}
        {source !== null && (
          <>
            . Meaning: <Source url={source.url} asOf={source.asOf} />
          </>
        )}
      </p>
      <code className={classes.text}>{escapeInvisible(text)}</code>
      {rules.map(({ id, requirement, since, asOf, source: page }) => (
        <p key={id}>
          Rule: {requirement}{' '}
          <span className="soft">
            {since !== null && `Since ${day(since)}. `}
            <Source url={page} asOf={asOf} />
          </span>
        </p>
      ))}
      {blames.length > 0 && (
        <p>
          <b>To blame: {blames.map((blame) => BLAME_LABELS[blame]).join(', ')}</b>
        </p>
      )}
      {blames.length > 0 && <RecordsAtTime sender={sender} at={at} blames={blames} />}
      <Sentence title="For the customer" text={sentences.customer} />
      <Sentence title="For the DNS person" text={sentences.dns} />
    </section>
  );
}

function Sentence({ title, text }: { title: string; text: string }) {
  return (
    <p className={classes.sentence}>
      <span className={classes.label}>{title}</span>
      <span>
        {text} <CopyButton value={text} what="sentence" which={title.toLowerCase()} />
      </span>
    </p>
  );
}

const day = (text: string) => localDate(new Date(`${text}T00:00:00Z`), 'UTC');

function Source({ url, asOf }: { url: string; asOf: string | null }) {
  return (
    <>
      <a href={url} target="_blank" rel="noreferrer">
        {new URL(url).host}
      </a>
      {asOf !== null && `, read on ${day(asOf)}`}
    </>
  );
}
