import { IconAlertTriangle, IconClick, IconMailOpened, IconPointFilled, IconSend } from '@tabler/icons-react';
import { Button } from '@mantine/core';
import type { ReadableEvent } from '#contract/event.ts';
import { formatJson } from '../../ui/format/json.ts';
import { exactUtc, localTime, parseTime } from '../../ui/format/time.ts';
import { openBounceReader } from '../../ui/page/bounceReader.ts';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { JsonView } from '../../ui/values/JsonView.tsx';
import { Nothing } from '../../ui/values/Nothing.tsx';
import { EndCut, UntrustedText } from '../../ui/values/UntrustedText.tsx';
import kinds from './Activity.module.css';
import { type EventKind, KINDS, kindOf } from './eventKinds.ts';
import { findBounce, pickSummaryAttributes } from './eventSummary.ts';
import classes from './Story.module.css';

export function EventLine({ event, zone }: { event: ReadableEvent; zone: string }) {
  const date = parseTime(event.created_at);
  const attributes = event.attributes ?? {};
  const bounce = findBounce(attributes);
  return (
    <details className={classes.event}>
      <summary>
        <span className={classes.time}>
          {date === null ? <EndCut text={event.created_at} /> : localTime(date, zone)}
        </span>
        <KindIcon name={event.event_name ?? ''} />
        {event.event_name ? (
          <UntrustedText className={classes.name} text={event.event_name} />
        ) : (
          <Nothing words="no name" />
        )}
        <span className={classes.telling}>
          {pickSummaryAttributes(attributes).map(([key, value]) => (
            <span key={key}>
              <EndCut text={key} /> <EndCut text={value} />
            </span>
          ))}
        </span>
      </summary>
      <div className={classes.payload}>
        <div className={classes.payloadHead}>
          <DateTime value={event.created_at} show="local" />
          {date !== null && <code>{exactUtc(date)}</code>}
          <CopyButton value={formatJson(event)} what="event as JSON" label="Copy JSON" />
          {bounce !== null && (
            <Button
              size="xs"
              variant="default"
              aria-haspopup="dialog"
              onClick={() => openBounceReader({ text: bounce, at: event.created_at })}
            >
              Read this bounce
            </Button>
          )}
        </div>
        <code className={classes.json}>
          <JsonView value={attributes} />
        </code>
      </div>
    </details>
  );
}

const ICONS = {
  delivered: IconSend,
  opened: IconMailOpened,
  clicked: IconClick,
  failed: IconAlertTriangle,
  other: IconPointFilled,
} as const satisfies Record<EventKind, unknown>;

function KindIcon({ name }: { name: string }) {
  const kind = kindOf(name);
  const Icon = ICONS[kind];
  const label = KINDS.find((each) => each.kind === kind)?.label;
  return (
    <span className={kinds.icon} data-kind={kind} title={label}>
      <Icon size={16} stroke={1.75} aria-hidden />
    </span>
  );
}
