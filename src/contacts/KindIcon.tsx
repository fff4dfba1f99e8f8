import { IconAlertTriangle, IconClick, IconMailOpened, IconPointFilled, IconSend } from '@tabler/icons-react';
import classes from './timeline/Activity.module.css';
import { type EventKind, KINDS, kindOf } from './timeline/eventKinds.ts';

const ICONS = {
  delivered: IconSend,
  opened: IconMailOpened,
  clicked: IconClick,
  failed: IconAlertTriangle,
  other: IconPointFilled,
} as const satisfies Record<EventKind, unknown>;

/** The kind of an event, in the colour that it has in the picture. */
export function KindIcon({ name }: { name: string }) {
  const kind = kindOf(name);
  const Icon = ICONS[kind];
  const label = KINDS.find((each) => each.kind === kind)?.label;
  return (
    <span className={classes.icon} data-kind={kind} title={label}>
      <Icon size={16} stroke={1.75} aria-hidden />
    </span>
  );
}
