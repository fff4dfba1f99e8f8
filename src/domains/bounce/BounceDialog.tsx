import { Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { readBounce } from '#contract/receivers/bounces/readBounce.ts';
import { localZone, useTimeZone } from '../../ui/format/time.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import type { useBounceReader } from '../../ui/page/bounceReader.ts';
import classes from './Bounce.module.css';
import { readContext } from './bounceContext.ts';
import { BounceResult } from './BounceResult.tsx';
import { fromField, toField } from './timeField.ts';

/** Milliseconds without typing after which a domain is looked up. */
const PAUSE = 300;
/** More are counted. */
const SHOWN_MAX = 20;

type Props = { initial: NonNullable<ReturnType<typeof useBounceReader>>; onClose: () => void };

/** Reads a pasted bounce: who refused, why, by which rule, and the records to blame at that minute. */
export function BounceDialog({ initial, onClose }: Props) {
  const zone = useTimeZone();
  const [text, setText] = useState(initial.text);
  const guessed = readContext(text);
  // What the user enters counts before what the text says.
  const [entered, setEntered] = useState<{ domain?: string; time?: string }>({});
  const domain = entered.domain ?? initial.domain ?? guessed.domain ?? '';
  const time = entered.time ?? toField(initial.at ?? guessed.at, zone !== localZone);
  const [settled] = useDebouncedValue(domain, PAUSE);
  const at = fromField(time, zone !== localZone);
  return (
    <Dialog title="Read a bounce" onClose={onClose} closable>
      <div className={classes.dialog}>
        <Textarea
          label="What the receiver answered"
          description="An SMTP reply, a delivery report, or log lines. The text stays in this browser."
          rows={5}
          value={text}
          spellCheck={false}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div className={classes.context}>
          <TextInput
            label="Sending domain"
            description="From or MAIL FROM, to show its records at that time."
            value={domain}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setEntered({ ...entered, domain: event.currentTarget.value })}
          />
          <TextInput
            label="Refused at"
            description={`In ${zone}.`}
            type="datetime-local"
            value={time}
            onChange={(event) => setEntered({ ...entered, time: event.currentTarget.value })}
          />
        </div>
        {text.trim() !== '' && <Results text={text} sender={settled === domain ? domain : null} at={at} />}
      </div>
    </Dialog>
  );
}

/** `sender`: null while it's typed. */
function Results({ text, sender, at }: { text: string; sender: string | null; at: string | null }) {
  const { bounces, isWhole } = readBounce(text);
  if (bounces.length === 0)
    return <p role="status">No SMTP reply is in this text. It begins with a number such as 550 or 5.7.26.</p>;
  return (
    <>
      {bounces.slice(0, SHOWN_MAX).map((bounce) => (
        <BounceResult key={`${bounce.code} ${bounce.text}`} bounce={bounce} sender={sender} at={at} />
      ))}
      {(bounces.length > SHOWN_MAX || !isWhole) && (
        <p>
          The first {SHOWN_MAX} of {isWhole ? bounces.length : `more than ${bounces.length}`} different bounces are
          shown. Paste one to see it.
        </p>
      )}
    </>
  );
}
